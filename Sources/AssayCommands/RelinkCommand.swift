package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay relink`: sets the new path of a dataset's source.
package struct RelinkCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "relink",
    abstract: "Point a dataset to the new location of its source.",
    discussion: """
      A merged dataset (assay merge) refers to the images of its sources where they were. If one of them \
      moves, relink that one: assay relink all /new/folder --source faces
      """)

  @Argument(help: "The dataset.")
  package var dataset: String

  @Argument(
    help: "The folder, file or archive where the source is now, or a folder of an archive.",
    completion: .directory)
  package var path: String

  @Option(
    help: ArgumentHelp(
      "Of a merged dataset: the dataset whose images moved.", valueName: "dataset"))
  package var source: String?

  @Flag(help: "Accept a location where most files have other sizes than those that were imported.")
  package var changed = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in
      let catalog = try Catalog.open(options.catalogPath, .readWrite)
      let relinked = try Relinker(catalog: catalog).relink(
        dataset, to: path, source: source, allowsChanged: changed)
      return RelinkResult(relinked: relinked)
    }
  }
}

/// The result of `assay relink`.
struct RelinkResult: CommandResult {
  var relinked: Relinked

  var json: JSONValue {
    [
      "dataset": .string(relinked.dataset), "source": JSONValue(relinked.source),
      "root": .string(relinked.root),
      "files": JSONValue(relinked.files), "found": JSONValue(relinked.found),
      "changed": JSONValue(relinked.changed),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let source = relinked.source.map { "\($0) of " } ?? ""
    let head = "\(source)\(relinked.dataset) is now at \(Terminal.safe(relinked.root))"
    guard relinked.files > 0 else { return head + " (its pixels are in the catalog)" }
    return head
      + "; \(relinked.found) of its \(Counted.text(relinked.files, "file", "files")) found"
      + (relinked.changed > 0
        ? ", \(relinked.changed) with another size in bytes than when imported" : "")
  }
}
