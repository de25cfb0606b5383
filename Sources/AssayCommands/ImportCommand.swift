package import ArgumentParser
import AssayCore
import AssayWorkflows
import Foundation

/// `assay import`: reads a source into the catalog.
package struct ImportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import a labeled image set into the catalog.",
    discussion: """
      The format is detected from the content (assay formats lists them); PATH:FORMAT overrides it. A \
      dataset is imported completely or not at all. Invalid records are left out and listed as \
      issues; --strict refuses the import instead. The same input again is "already imported". \
      A folder with annotations that would be dropped is refused, with a list of them; \
      --ignore-companions imports it without them. \
      If a source lists its images (COCO's JSON, tables), missing files are counted; their samples are kept.
      """)

  @Argument(
    help: ArgumentHelp("The file, folder, zip, tar or tar.gz archive.", valueName: "path[:format]"),
    completion: .file())
  package var source: String

  @Option(help: "The dataset's name. Default: derived from the file or folder.")
  package var name: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the images, for a COCO JSON or a CSV of labels or boxes outside of it.",
      valueName: "dir"),
    completion: .directory)
  package var images: String?

  @Flag(
    name: .customLong("check-images"),
    help: "Decode every image of a COCO JSON; report unreadable images and wrong sizes."
  )
  package var checkImages = false

  @Flag(help: "Import nothing if there is any issue; exit status 1.")
  package var strict = false

  @Flag(help: "Replace an existing dataset; samples with the same key keep their id.")
  package var replace = false

  @OptionGroup package var reading: SourceOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws { _ = try request() }

  /// The parsed request.
  func request() throws -> ImportRequest {
    var request = ImportRequest(source)
    request.name = name
    request.strict = strict
    request.replace = replace
    request.images = images
    request.checksImages = checkImages
    try reading.fill(&request)
    return request
  }

  package func run() throws {
    let request = try request()
    try options.perform { progress in
      if let unknown = UnknownFormat(request.path) { throw unknown }
      do {
        let summary = try DatasetImport(request).run(
          catalogPath: options.catalogPath, progress: progress)
        // Compares the corrected images now, so that the next command does not have to.
        let opened = try CorrectedCatalog.open(
          options.catalogPath, .readOnly, reportingTo: progress)
        let use = opened.corrections.of(summary.dataset.name)
        let result = CorrectedResult(ImportResult(summary: summary), use.asExistence)
        // A dataset that was imported without --strict must not pass with it just because it
        // already exists.
        if strict, summary.isAlreadyThere, summary.dataset.issues > 0 { throw CheckFailed(result) }
        return result
      } catch let refused as ImportRefused {
        throw CheckFailed(ImportRefusedResult(refused: refused))
      }
    }
  }
}

/// A path that does not exist, but would without the text after its last colon: a misspelled
/// format.
struct UnknownFormat: Error, CustomStringConvertible {
  private let path: String
  private let name: String

  /// - Parameter source: the typed path, which does not end in a known format.
  init?(_ source: String) {
    guard let colon = source.lastIndex(of: ":"),
      !FileManager.default.fileExists(atPath: source),
      FileManager.default.fileExists(atPath: String(source[..<colon]))
    else { return nil }
    path = String(source[..<colon])
    name = String(source[source.index(after: colon)...])
  }

  var description: String {
    let known = DatasetFormat.allCases.map(\.rawValue)
    let suggestion = NearMiss.suggestion(for: name, among: known)
    return "unknown format “\(name)” after \(path)"
      + (suggestion.map { "; did you mean “\($0)”?" } ?? ";")
      + " formats: \(known.joined(separator: ", ")) (see `assay formats`)"
  }
}
