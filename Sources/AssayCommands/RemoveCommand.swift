package import ArgumentParser
import AssayCore
package import AssayStore
import AssayWorkflows

/// `assay rm`: removes a name and everything that depends on it from the catalog.
package struct RemoveCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "rm",
    abstract: "Remove a dataset, view, partition, model, run or review from the catalog.",
    discussion: """
      Removing a dataset removes its views, partitions, runs and reviews; a review is only a list of \
      samples. Source files and corrections are never removed. \
      `assay backup` makes a copy first.
      """)

  @Argument(help: "The kind: dataset, view, partition, model, run or review.")
  package var kind: NameKind

  @Argument(help: "The name.")
  package var name: String

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      guard kind == .dataset else {
        let catalog = try Catalog.open(options.catalogPath, .readWrite)
        return RemovalResult(removal: try catalog.remove(kind, named: name))
      }
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .readWrite, reportingTo: progress)
      return RemovalResult(
        removal: try opened.catalog.remove(kind, named: name),
        corrections: opened.corrections.of(name).exist)
    }
  }
}

extension NameKind: ExpressibleByArgument {}

/// The result of `assay rm`.
struct RemovalResult: CommandResult {
  var removal: Removal
  /// The number of corrections of a removed dataset, which are kept.
  var corrections = 0

  var json: JSONValue {
    [
      "removed": .string(removal.kind.rawValue), "name": .string(removal.name),
      "samples": JSONValue(removal.samples),
      "views": .array(removal.views.map { .string($0) }),
      "partitions": .array(removal.partitions.map { .string($0) }),
      "runs": .array(removal.runs.map { .string($0) }),
      "reviews": .array(removal.reviews.map { .string($0) }),
      "evaluations": JSONValue(removal.evaluations),
      "corrections_kept": JSONValue(corrections),
    ]
  }

  func text(in terminal: Terminal) -> String {
    var went: [String] = []
    if removal.samples > 0 { went.append(Counted.text(removal.samples, "sample", "samples")) }
    for (word, names) in [
      ("view", removal.views), ("partition", removal.partitions), ("run", removal.runs),
      ("review", removal.reviews),
    ] where !names.isEmpty {
      went.append("\(word)\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))")
    }
    if removal.evaluations > 0 {
      went.append("\(removal.evaluations) evaluation\(removal.evaluations == 1 ? "" : "s")")
    }
    return "removed \(removal.kind.rawValue) \(removal.name)"
      + (went.isEmpty ? "" : ", including " + went.joined(separator: ", "))
      + (corrections == 0
        ? ""
        : "\nits \(corrections == 1 ? "correction stays" : "\(corrections) corrections stay") in the "
          + "ledger, and \(corrections == 1 ? "is" : "are") its own again once it is imported under this name")
  }
}
