package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay view`: manages named queries.
package struct ViewCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Save queries under a name.",
    discussion: "`assay ls views` lists them, `assay rm view NAME` removes one.",
    subcommands: [ViewSaveCommand.self])

  package init() {}
}

/// `assay view save`: saves an expression as a view.
package struct ViewSaveCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save an expression as a view, which can be used like a dataset.",
    discussion: """
      A view is a query, not a list: it is evaluated each time it is used, on the ground truth that the \
      command uses.
      """)

  @Argument(help: "The view's name.")
  package var name: String

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("A dataset, a saved view, or a part of one.", valueName: "view"))
  package var view: String

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("The expression; see `assay query --help`.", valueName: "expr"))
  package var filter: String

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { bar in
      let opened = try CorrectedCatalog.open(options.catalogPath, .readWrite, reportingTo: bar)
      let catalog = opened.catalog
      let saved = try catalog.addView(
        named: name, in: try catalog.resolve(view), where: filter)
      return CorrectedResult(
        SavedViewResult(
          view: saved, samples: try catalog.count(in: try catalog.resolve(saved.name))),
        opened.corrections.of(saved.dataset))
    }
  }
}

/// A saved view, and the number of samples that it currently selects.
struct SavedViewResult: CommandResult {
  var view: ViewRecord
  var samples: Int

  var json: JSONValue {
    ["view": view.summary, "samples": JSONValue(samples)]
  }

  func text(in terminal: Terminal) -> String {
    let noun = samples == 1 ? "sample" : "samples"
    return Terminal.safe(
      "saved \(view.name): \(samples) \(noun) of \(view.source) where \(view.expression)")
  }
}
