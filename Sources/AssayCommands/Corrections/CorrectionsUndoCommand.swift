package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay corrections undo`: makes an entry no longer count.
package struct CorrectionsUndoCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo a correction.",
    discussion: """
      The entry stays in the ledger but is no longer used; later entries stay. --last is the author's last \
      active entry. `assay corrections redo` restores it.
      """)

  @OptionGroup package var entry: EntryOptions
  @OptionGroup package var author: AuthorOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws { try entry.check() }

  package func run() throws {
    try options.perform { progress in
      try entry.result(isRedo: false, author, options, progress)
    }
  }
}

/// `assay corrections redo`: makes an undone entry count again.
package struct CorrectionsRedoCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Restore an undone correction.",
    discussion: "--last is the last entry that the author undid.")

  @OptionGroup package var entry: EntryOptions
  @OptionGroup package var author: AuthorOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws { try entry.check() }

  package func run() throws {
    try options.perform { progress in
      try entry.result(isRedo: true, author, options, progress)
    }
  }
}

/// The arguments that choose an entry.
package struct EntryOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The entry's number.", valueName: "entry"))
  package var sequence: Int64?

  @Flag(help: "The author's last entry.")
  package var last = false

  @Option(help: ArgumentHelp("With --last: only of this sample.", valueName: "dataset:key"))
  package var sample: String?

  @Option(help: "A note.")
  package var note: String?

  package init() {}

  func check() throws {
    guard (sequence == nil) == last else {
      throw ValidationError("give the number of an entry, or --last")
    }
    if let sequence, sequence < 1 { throw ValidationError("entries are numbered from 1") }
    guard sample == nil || last else { throw ValidationError("--sample needs --last") }
    if let sample, SampleName(sample) == nil {
      throw ValidationError("--sample must be DATASET:KEY, not “\(Terminal.safe(sample))”")
    }
  }

  func result(
    isRedo: Bool, _ author: AuthorOptions, _ options: GlobalOptions,
    _ progress: any ProgressSink
  ) throws -> CorrectionSavedResult {
    let work = try CorrectionSession(catalogPath: options.catalogPath, reportingTo: progress)
    let service = try work.service(create: false)
    let search = UndoTarget(service)
    let name = sample.flatMap { SampleName($0) }
    let entry =
      try sequence.map(search.entry)
      ?? search.last(by: author.found.name, of: name, isUndone: isRedo)
    let sample = try search.sample(of: entry)
    let version = IndependentVersion(entry)
    let before = try service.truth(of: sample, as: version)
    var save = work.save(
      isRedo ? .redo(entry.uuid) : .undo(entry.uuid), of: sample, author: author.found.name,
      note: note, done: false)
    save.version = version
    let outcome = try service.save(save)
    guard let name = SampleName("\(entry.sample.dataset):\(sample.key)") else {
      throw CorrectionBatchError.noKey
    }
    return CorrectionSavedResult(
      name: name, outcome: outcome, before: before, author: author.told, about: entry)
  }
}
