package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay tag`: tags the samples of a view.
package struct TagCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Tag the samples of a view, or remove a tag.",
    discussion: """
      assay tag faces hard --where 'run(r1).correct = false and run(r1).confidence > 0.9'

      assay tag people/val2017 'night shots' --where 'key like "*night*"'

      assay tag faces hard --where 'label = sad' --remove

      Tags are kept in the ledger, as corrections are: they survive another import, and two people's tags \
      are merged. They do not change the ground truth. `tag = hard` in an expression finds the samples, \
      `assay tags` counts them. A tag has 1 to 100 characters and no control characters. \
      `assay corrections undo ENTRY` undoes the tag of one sample.

      assay tag coco hard --objects 'class = person and width < 20'

      With --objects, the objects that fulfill the condition (as in `objects(…)`) are tagged, not their samples. The tag \
      is a field of the object that is true, as `assay field --objects` sets it, and each object is a correction: \
      `objects(hard = true) > 0` with --corrected finds them.

      Entries are saved in batches: after Ctrl-C, the same command continues.
      """)

  @Argument(help: "A dataset, a saved view, or a part of one.")
  package var view: String

  @Argument(help: ArgumentHelp("The tag.", valueName: "name"))
  package var name: String

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only samples that match the expression; see `assay query --help`.", valueName: "expr"))
  package var filter: String?

  @Option(
    help: ArgumentHelp(
      "Tag the objects that fulfill a condition, such as 'class = car and width < 20'.",
      valueName: "condition"))
  package var objects: String?

  @Flag(help: "Remove the tag.")
  package var remove = false

  @OptionGroup package var author: AuthorOptions
  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    do { _ = try TagName.checked(name) } catch { throw ValidationError("\(error)") }
    guard objects != nil else { return }
    do { _ = try fieldOfObjects() } catch { throw ValidationError("\(error)") }
    try ObjectFieldResult.check(truth.choice)
  }

  private func fieldOfObjects() throws -> JSONValue.Member {
    try SampleEdit.tag(TagEdit(tag: TagName.checked(name), isAddition: !remove)).fieldOfObjects()
  }

  package func run() throws {
    try options.perform { progress in
      guard let objects else { return AnyResult(try tagSamples(progress)) }
      return AnyResult(
        try ObjectFieldResult.setting(
          fieldOfObjects(), of: objects, in: view, where: filter, by: author, options.catalogPath,
          reportingTo: progress))
    }
  }

  private func tagSamples(_ progress: any ProgressSink) throws -> SampleEditResult {
    let opened = try CorrectedCatalog.open(
      options.catalogPath, .readOnly, truth: truth.choice, reportingTo: progress)
    // Without the ledger, samples that have the tag would be tagged again.
    if let problem = opened.corrections.problem { throw TagError.ledger(problem) }
    let tagging = SampleTagging(catalog: opened.catalog, progress: progress)
    return SampleEditResult(
      summary: try tagging.run(
        .init(
          view: view, tag: name, expression: filter, isRemoval: remove, author: author.found.name)),
      author: author.told)
  }
}

/// `assay tags`: counts the tags of a view.
package struct TagsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "tags",
    abstract: "Count the samples of a view by tag.",
    discussion: "A sample can have several tags. `assay tag` adds and removes them.")

  @Argument(help: "A dataset, a saved view, or a part of one.")
  package var view: String

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .readOnly, truth: truth.choice, reportingTo: progress)
      if let problem = opened.corrections.problem { throw TagError.ledger(problem) }
      var selection = try opened.catalog.resolve(view)
      selection.includesLeftOut = true
      return TagsResult(
        selection: selection, counts: try opened.catalog.tagCounts(in: selection))
    }
  }
}

/// The reasons why tags cannot be read.
enum TagError: Error, CustomStringConvertible {
  /// The ledger cannot be read, with the reason.
  case ledger(String)

  var description: String {
    switch self {
    case .ledger(let problem): "the tags are in the ledger: \(problem)"
    }
  }
}

/// The result of `assay tags`.
struct TagsResult: CommandResult {
  let selection: Selection
  let counts: TagCounts

  var json: JSONValue {
    [
      "dataset": .string(selection.dataset.name), "view": .string(selection.name),
      "samples": JSONValue(counts.samples), "untagged": JSONValue(counts.untagged),
      "tags": .array(
        counts.tags.map { ["tag": .string($0.tag), "samples": JSONValue($0.samples)] }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let view = Terminal.safe(selection.name)
    guard !counts.tags.isEmpty else {
      return "no tags in \(view)\nnext: assay tag \(view) NAME --where EXPRESSION"
    }
    var table = TextTable([("tag", .left), ("samples", .right)])
    for count in counts.tags { table.add([count.tag, "\(count.samples)"]) }
    let samples = Counted.text(counts.samples, "sample", "samples")
    return "\(Counted.text(counts.tags.count, "tag", "tags")) in \(view): "
      + "\(counts.samples - counts.untagged) of \(samples) tagged\n\n" + table.text(in: terminal)
  }
}
