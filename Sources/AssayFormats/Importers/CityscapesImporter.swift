package import AssayCore
import AssayImaging

/// Cityscapes: street scenes with objects as polygons, or label images of instances or classes, and
/// the same layout as Datumaro writes it.
///
/// Of several annotations of an image one is read: polygons, else instance ids, label ids, training
/// ids; fine ones before coarse ones. Key and location of a sample: its image's path.
package struct CityscapesImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .cityscapes }

  package var summary: String { "Cityscapes: polygons or label images of street scenes" }

  package var recognizedBy: String {
    "x_leftImg8bit.png in leftImg8bit/split/city/ with x_gtFine_polygons.json, _instanceIds.png, "
      + "_labelIds.png or _labelTrainIds.png in gtFine/ (or gtCoarse/)"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else { return .noMatch("it is a single file") }
    var (tried, hasOther) = (0, false)
    for file in try tree.files() where CityscapesName.mayFit(file.path) {
      guard tried < 16, let name = CityscapesName(file.path) else { continue }
      switch name.role {
      case .image: continue
      case .fine(.other), .coarse(.other): hasOther = true
      case .fine(let kind), .coarse(let kind):
        tried += 1
        if Self.fits(file.path, kind, in: tree) {
          return .match("\(file.path) is named and made like annotations of Cityscapes")
        }
      }
    }
    return .noMatch(
      tried > 0
        ? "the files named like its annotations are neither PNGs nor JSON with objects"
        : hasOther
          ? "it has images of colors alone, and they are not read"
          : "no file is named *_gtFine_polygons.json, *_gtFine_labelIds.png or the like")
  }

  private static func fits(
    _ path: String, _ kind: CityscapesName.Kind, in tree: any SourceTree
  ) -> Bool {
    var head = [UInt8](repeating: 0, count: 4096)
    guard let count = try? SourceContent.readHead(tree, path, into: &head) else { return false }
    head.removeLast(head.count - count)
    guard kind == .polygons else {
      return head.withUnsafeBytes { ImageKind.detect($0) } == .png
    }
    let text = String(decoding: head, as: UTF8.self)
    return text.contains("\"objects\"") && text.contains("\"imgWidth\"")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let files = try tree.files()
    let layout = CityscapesLayout(files)
    guard layout.annotated > 0 else { return nil }
    let names = [CityscapesClasses.colorFile, DatumaroMeta.fileName]
    let unread = Companions.candidates(files).filter { file in
      CityscapesName(file.path) == nil && !names.contains(CompanionPlace(file.path).name)
    }
    return try Companions(
      unread, in: tree, isKnownOnly: true,
      datasets: layout.examples.map { ($0, "Cityscapes annotations") })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size, .classes], for: format)
    let files = tree.isSingleFile ? [] : try tree.files()
    let layout = CityscapesLayout(files)
    guard layout.annotated > 0 else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    let classes = try CityscapesClasses.find(files, in: tree)
    var pass = try RegionImport(tree, CityscapesSource(tree, layout, classes), options)
    var finished = try pass.run(deliver)
    finished.notes += layout.notes
    return finished
  }
}
