package import ArgumentParser
import AssayCore
import AssayWorkflows

/// `assay import`: reads a source into the catalog.
package struct ImportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import a labelled image set into the catalog.",
    discussion: """
      The format is found out from the content (assay formats lists them); PATH:FORMAT decides it. A \
      dataset is imported whole or not at all. Records that are not right are left out and listed as \
      issues; --strict refuses the import instead. The same input again is "already imported".
      """)

  @Argument(
    help: ArgumentHelp("The file or folder.", valueName: "path[:format]"), completion: .file())
  package var source: String

  @Option(help: "The dataset's name. Default: after the file or folder.")
  package var name: String?

  @Option(help: "The split of samples to which the source gives none.")
  package var split: String?

  @Option(
    help: ArgumentHelp("Names of the labels 0, 1, 2, …, with commas between.", valueName: "a,b,c"))
  package var classes: String?

  @Option(
    help: ArgumentHelp(
      "The size of a CSV's images where they are no squares.", valueName: "WxH"))
  package var size: String?

  @Flag(help: "Import nothing where there is any issue; exit status 1.")
  package var strict = false

  @Flag(help: "Import anew under a name that is taken; samples keep their id by key.")
  package var replace = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws { _ = try request() }

  /// What was typed, understood.
  func request() throws -> ImportRequest {
    var request = ImportRequest(source)
    request.name = name
    request.split = split
    request.strict = strict
    request.replace = replace
    if let classes {
      let names = classes.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard !names.contains(""), Set(names).count == names.count else {
        throw ValidationError("--classes takes different names with commas between: a,b,c")
      }
      request.classes = names
    }
    if let size {
      let sides = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard sides.count == 2, let width = sides[0], let height = sides[1],
        let size = ImageSize.checked(width: width, height: height)
      else { throw ValidationError("--size takes width and height, such as 48x48") }
      request.size = size
    }
    return request
  }

  package func run() throws {
    let request = try request()
    try options.perform { progress in
      do {
        let summary = try DatasetImport(request).run(
          catalogPath: options.catalogPath, progress: progress)
        return ImportResult(summary: summary)
      } catch let refused as ImportRefused {
        throw CheckFailed(ImportRefusedResult(refused: refused))
      }
    }
  }
}
