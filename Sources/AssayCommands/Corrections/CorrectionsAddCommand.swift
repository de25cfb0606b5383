package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay corrections add`: corrections from the command line and from scripts.
package struct CorrectionsAddCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Correct samples from the command line.",
    discussion: """
      One sample: --sample DATASET:KEY with the correction, for example
        assay corrections add --sample faces:17 --label happy
        assay corrections add --sample street:a/1.png --mask 1.png --category car
      A mask is a PNG of the image's size, 0 outside and one other value inside; it becomes the whole region of the \
      class (of one object with --object, a new object with --new).
        assay corrections add --sample street:a/1.png --box 10,20,64,48 --object 1234
      A box replaces that of the object, or is a new object of the class with --category.

      Many: --from FILE.csv --in DATASET, with the columns key and label, or key, mask and category, and optionally \
      note. For sets of labels: key with add or remove (one label, or several separated by |), or key and labels \
      (the whole set). All lines are saved, or none.

      A correction that equals the ground truth is not saved, neither from a line nor with --sample; --accept \
      confirms it. A note that the sample does not have yet is still saved.

      Objects are named as in `assay corrections show`: 1234 by the id in the source, #2 without an id, \
      @37 created by entry 37.
      """)

  @Option(help: ArgumentHelp("The sample.", valueName: "dataset:key"))
  package var sample: String?

  @Option(help: ArgumentHelp("A CSV file of corrections.", valueName: "file"), completion: .file())
  package var from: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("With --from: the dataset of the keys.", valueName: "dataset"))
  package var dataset: String?

  @OptionGroup(title: "The correction") package var change: CorrectionOptions
  @OptionGroup package var author: AuthorOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard (sample == nil) != (from == nil) else {
      throw ValidationError("give --sample DATASET:KEY, or --from FILE.csv")
    }
    if let sample, SampleName(sample) == nil {
      throw ValidationError("--sample must be DATASET:KEY, not “\(Terminal.safe(sample))”")
    }
    if from == nil, dataset != nil { throw ValidationError("--in needs --from") }
    try change.check(isTable: from != nil)
  }

  package func run() throws {
    try options.perform { progress in
      let work = try CorrectionSession(catalogPath: options.catalogPath, reportingTo: progress)
      if let from {
        let summary = try CorrectionBatch(work, progress: progress).run(
          from, dataset: dataset, category: change.category, author: author.found.name,
          note: change.note, emptied: change.empty, parts: change.parts)
        return AnyResult(CorrectionsBatchResult(summary: summary, author: author.told))
      }
      guard let sample, let name = SampleName(sample) else {
        throw CorrectionBatchError.noKey
      }
      return AnyResult(try add(name, work))
    }
  }

  private func add(_ name: SampleName, _ work: CorrectionSession) throws -> any CommandResult {
    let sample = try work.sample(name)
    // Invalid changes are refused before a ledger is created.
    let wanted = try change.wanted(of: sample, work)
    let service = try work.service(create: true)
    let before = try service.truth(of: sample)
    var save = work.save(
      try wanted.change(before, key: name.key), of: sample, author: author.found.name,
      note: change.note, done: wanted.isDone)
    if try service.changesNothing(save, before) {
      guard let note = change.note, !before.hasNote(note, by: save.author) else {
        return CorrectionUnchangedResult(name: name, truth: before)
      }
      save = work.save(.note, of: sample, author: save.author, note: note, done: false)
    }
    let outcome = try service.save(save)
    return CorrectionSavedResult(
      name: name, outcome: outcome, before: before, author: author.told)
  }
}
