package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay field`: sets a custom field of the samples of a view.
package struct FieldCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "field",
    abstract: "Set a custom field of the samples of a view, or remove it.",
    discussion: """
      assay field faces lighting=dim --where 'run(r1).correct = false'

      assay field people/val2017 distance=3.5 --where 'key like "*near*"'

      assay field faces lighting=null --where 'label = sad'     # removes it

      A value is a number, true, false or else a text; in quotes it is a text ('code="30"'). `null` removes the \
      field. The sample's fields from its source, such as the weather of BDD100K, are replaced in the same way, and \
      come back with `assay corrections undo ENTRY`. `field(lighting) = dim` in an expression finds the samples, \
      `assay fields` lists the fields.

      Fields are kept in the ledger, as tags are: they survive another import, and two people's fields are merged. \
      They do not change the ground truth.

      assay field coco hard=true --objects 'class = person and width < 20'

      With --objects, the field is one of the objects that fulfill the condition (as in `objects(…)`), and each object is \
      a correction: `objects(hard = true) > 0` with --corrected finds them.

      Entries are saved in batches: after Ctrl-C, the same command continues.
      """)

  @Argument(help: "A dataset, a saved view, or a part of one.")
  package var view: String

  @Argument(
    help: ArgumentHelp("The field and its value; null removes it.", valueName: "name=value"))
  package var field: FieldArgument

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only samples that match the expression; see `assay query --help`.", valueName: "expr"))
  package var filter: String?

  @Option(
    help: ArgumentHelp(
      "Set the field of the objects that fulfill a condition, such as 'class = car and width < 20'.",
      valueName: "condition"))
  package var objects: String?

  @OptionGroup package var author: AuthorOptions
  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    do { _ = try edit() } catch { throw ValidationError("\(error)") }
    if objects != nil { try ObjectFieldResult.check(truth.choice) }
  }

  private func edit() throws(CustomFieldError) -> FieldEdit {
    FieldEdit(
      name: try CustomField.checked(name: field.member.name),
      value: try CustomField.checked(field.member.value))
  }

  package func run() throws {
    try options.perform { progress in
      guard let objects else { return AnyResult(try setForSamples(progress)) }
      return AnyResult(
        try ObjectFieldResult.setting(
          SampleEdit.field(edit()).fieldOfObjects(), of: objects, in: view, where: filter,
          by: author, options.catalogPath, reportingTo: progress))
    }
  }

  private func setForSamples(_ progress: any ProgressSink) throws -> SampleEditResult {
    let opened = try CorrectedCatalog.open(
      options.catalogPath, .readOnly, truth: truth.choice, reportingTo: progress)
    // Without the ledger, samples that have the value would get it again.
    if let problem = opened.corrections.problem { throw FieldError.ledger(problem) }
    let tagging = SampleTagging(catalog: opened.catalog, progress: progress)
    return SampleEditResult(
      summary: try tagging.run(
        .init(
          view: view, edit: .field(try edit()), expression: filter, author: author.found.name)),
      author: author.told)
  }
}

/// `assay fields`: lists the fields of a view.
package struct FieldsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "fields",
    abstract: "List the fields of the samples of a view.",
    discussion: """
      Fields of the source, such as the weather of BDD100K, and those that `assay field` or a person in the browser \
      set. Lists and objects are left out.
      """)

  @Argument(help: "A dataset, a saved view, or a part of one.")
  package var view: String

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .readOnly, truth: truth.choice, reportingTo: progress)
      if let problem = opened.corrections.problem { throw FieldError.ledger(problem) }
      var selection = try opened.catalog.resolve(view)
      selection.includesLeftOut = true
      let found = try opened.catalog.fieldCounts(in: selection)
      return FieldsResult(selection: selection, samples: found.samples, fields: found.fields)
    }
  }
}

/// The reasons why custom fields cannot be read.
enum FieldError: Error, CustomStringConvertible {
  /// The ledger cannot be read, with the reason.
  case ledger(String)

  var description: String {
    switch self {
    case .ledger(let problem): "custom fields are in the ledger: \(problem)"
    }
  }
}

/// The result of `assay fields`.
struct FieldsResult: CommandResult {
  let selection: Selection
  let samples: Int
  let fields: [FieldCount]

  /// The number of values of a field that the table names.
  private static let named = 4

  var json: JSONValue {
    [
      "dataset": .string(selection.dataset.name), "view": .string(selection.name),
      "samples": JSONValue(samples),
      "fields": .array(
        fields.map { field in
          [
            "name": .string(field.name), "samples": JSONValue(field.samples),
            "edited": JSONValue(field.edited), "texts": JSONValue(field.texts),
            "numbers": JSONValue(field.numbers), "truth_values": JSONValue(field.truths),
            "min": field.range.map { Self.number($0.lowerBound) } ?? .null,
            "max": field.range.map { Self.number($0.upperBound) } ?? .null,
            "values": .array(
              field.values.map { ["value": .string($0.text), "samples": JSONValue($0.samples)] }),
          ]
        }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let view = Terminal.safe(selection.name)
    guard !fields.isEmpty else {
      return "no fields in \(view)\nnext: assay field \(view) NAME=VALUE --where EXPRESSION"
    }
    var table = TextTable([
      ("field", .left), ("samples", .right), ("set by people", .right), ("values", .left),
    ])
    for field in fields {
      table.add([field.name, "\(field.samples)", "\(field.edited)", Self.values(field)])
    }
    return "\(Counted.text(fields.count, "field", "fields")) in \(view) "
      + "(\(Counted.text(samples, "sample", "samples")))\n\n" + table.text(in: terminal)
  }

  /// A whole number without a decimal point.
  private static func number(_ value: Double) -> JSONValue {
    Int64(exactly: value).map { .integer($0) } ?? .number(value)
  }

  /// `dim (12), bright (3)`, `1 to 30`.
  private static func values(_ field: FieldCount) -> String {
    var parts: [String] = []
    if let range = field.range {
      let (low, high) = (number(range.lowerBound), number(range.upperBound))
      parts.append(
        range.lowerBound == range.upperBound ? low.text() : "\(low.text()) to \(high.text())")
    }
    let listed = field.values.prefix(named).map { "\($0.text) (\($0.samples))" }
    if field.values.isEmpty, field.texts > 0 {
      parts.append("more than \(FieldCount.valueLimit) different texts")
    }
    let more = field.values.count - listed.count
    return (parts + listed + (more > 0 ? ["\(more) more"] : [])).joined(separator: ", ")
  }
}
