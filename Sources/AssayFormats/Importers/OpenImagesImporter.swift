package import AssayCore

/// Open Images: CSV tables of boxes and masks, relative to the images' sizes, with class ids that a
/// list names.
///
/// The tables are read in one pass that only notes where the rows of each image are; each image then
/// reads its own. Key and location of a sample: its image's path.
package struct OpenImagesImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .openImages }

  package var summary: String { "Open Images: CSV tables of boxes, masks and image labels" }

  package var recognizedBy: String {
    "CSV files with the columns ImageID, LabelName and XMin, XMax, YMin, YMax (boxes), MaskPath (masks) "
      + "or Confidence (verified image labels), with images named ImageID.jpg; class-descriptions.csv names "
      + "the classes"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      guard let file = try tree.files().first,
        !OpenImagesTable.find([file], in: tree).tables.isEmpty
      else { return .noMatch("it is a single file") }
      return .noMatch("it is one table of Open Images; to import it, name its folder")
    }
    let tables = OpenImagesTable.find(try tree.files(), in: tree).tables
    if let table = Self.main(tables) {
      return .match("\(table.file.path) holds Open Images' \(table.title)")
    }
    return .noMatch(
      tables.first.map {
        "\($0.file.path) is a table of Open Images, but there are no boxes, masks or verified labels"
      }
        ?? "no CSV file in it has the columns ImageID, LabelName and XMin or MaskPath")
  }

  /// A table with annotations, of boxes or masks if there is one.
  private static func main(_ tables: [OpenImagesTable]) -> OpenImagesTable? {
    tables.first { $0.kind == .boxes || $0.kind == .masks } ?? tables.first { $0.kind == .labels }
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let files = try tree.files()
    let (tables, others) = OpenImagesTable.find(files, in: tree)
    guard let example = Self.main(tables) else { return nil }
    let classes = try OpenImagesClasses(files, others, in: tree)
    let read = classes.files.union(tables.map(\.file.path))
    return try Companions(
      Companions.candidates(files).filter { !read.contains($0.path) }, in: tree, isKnownOnly: true,
      datasets: [(example.file.path, "Open Images annotations")])
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size, .classes], for: format)
    let found = try probe(tree)
    guard found.isMatch else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: found.reason)
    }
    let files = try tree.files()
    let (tables, others) = OpenImagesTable.find(files, in: tree)
    let images = OpenImagesFiles(files)
    guard !images.images.isEmpty else {
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "it has no images, and the coordinates are relative to the images' sizes")
    }
    let classes = try OpenImagesClasses(files, others, in: tree)
    let index = try OpenImagesIndex(tables, images, in: tree)
    var pass = try RegionImport(tree, OpenImagesSource(tree, images, index, classes), options)
    var finished = try pass.run(deliver)
    finished.lists?.annotationsRead += index.dropped
    finished.notes += classes.notes
    return finished
  }
}
