package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay corrections add`: corrections from the command line and from scripts.
package struct CorrectionsAddCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Correct samples from the command line.",
    discussion: """
      One sample: --sample DATASET:KEY with what it is to be, for example
        assay corrections add --sample faces:17 --label happy
        assay corrections add --sample street:a/1.png --mask 1.png --category car
      A mask is a PNG of the image's size, 0 outside and one more value inside; it is the whole region of the \
      class after the correction (of one object with --object, a new object with --new).

      Many: --from FILE.csv --in DATASET, with the columns key and label, or key, mask and category, and note \
      where wanted. All lines are saved, or none; lines that say what is the truth already are passed over; \
      a note that the sample does not have yet is saved alone.

      Objects are named as `assay corrections show` lists them: 1234 by the id in the source, #2 without one, \
      @37 made by entry 37.
      """)

  @Option(help: ArgumentHelp("The sample.", valueName: "dataset:key"))
  package var sample: String?

  @Option(help: ArgumentHelp("A CSV file of corrections.", valueName: "file"), completion: .file())
  package var from: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("With --from: the dataset that the keys are of.", valueName: "dataset"))
  package var dataset: String?

  @OptionGroup(title: "What it is to be") package var change: CorrectionOptions
  @OptionGroup package var author: AuthorOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard (sample == nil) != (from == nil) else {
      throw ValidationError("give --sample DATASET:KEY, or --from FILE.csv")
    }
    if let sample, SampleName(sample) == nil {
      throw ValidationError("--sample takes DATASET:KEY, and “\(Terminal.safe(sample))” is none")
    }
    if from == nil, dataset != nil { throw ValidationError("--in goes with --from") }
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

  private func add(_ name: SampleName, _ work: CorrectionSession) throws -> CorrectionSavedResult {
    let sample = try work.sample(name)
    // Invalid changes are refused before a ledger is created.
    let wanted = try change.wanted(of: sample, work)
    let desk = try work.desk(create: true)
    let before = try desk.truth(of: sample)
    let outcome = try desk.save(
      work.save(
        try wanted.change(before, key: name.key), of: sample, author: author.found.name,
        note: change.note, done: wanted.isDone))
    return CorrectionSavedResult(
      name: name, outcome: outcome, before: before, author: author.told)
  }
}
