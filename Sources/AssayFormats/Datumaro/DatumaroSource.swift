import AssayCore

/// The images of a Datumaro dataset and their annotations, for ``RegionImport``.
///
/// Each item is read twice: once to find and sort the images, once for its annotations.
struct DatumaroSource: RegionSource {
  let name: String
  let items: [DatumaroItem]
  let classes: [Category]
  let issues: [Issue]
  private let tree: any SourceTree
  private let files: [DatumaroFile]
  private let images: [DatumaroImages]
  private let reader: DatumaroReader

  /// The number of items that are read at a time.
  private static let batch = 256
  /// The number of items whose names are looked up to find the folder of the images.
  private static let sought = 256

  /// - Throws: ``FormatError``; any error that the tree throws.
  init(_ tree: any SourceTree, _ files: [DatumaroFile], workers: Int) throws {
    self.tree = tree
    self.files = files
    name = tree.name
    let listed = Set(try tree.files().map(\.path))
    var classes = DatumaroClasses()
    var images: [DatumaroImages] = []
    var items: [DatumaroItem] = []
    for (number, file) in files.enumerated() {
      let (batches, categories) = try file.read(tree)
      try classes.add(categories, file: file.file.path)
      let names = batches.prefix(Self.sought).compactMap { batch -> String? in
        let item = Self.value(tree, file.file.path, batch.bytes)
        return item.flatMap {
          DatumaroImages.name(of: $0) ?? DatumaroImages.id(of: $0).map { $0 + ".jpg" }
        }
      }
      let folder = COCOImageFolder(
        for: names, in: file.imageFolders, listed: listed, split: file.split)
      guard folder.candidates.count < 2 else {
        throw FormatError.mismatch(
          name: tree.name, format: .datumaro,
          reason: "the images of \(file.file.path) are as well in "
            + folder.candidates.prefix(4).map { $0.isEmpty ? "the folder itself" : $0 + "/" }
            .joined(separator: " as in ")
            + (folder.candidates.count > 4 ? " and elsewhere" : "")
            + "; move all but one of them out of the imported folder, or the right ones to "
            + "\(file.imageFolders[0])/")
      }
      let found = DatumaroImages(folder: folder)
      images.append(found)
      var next = 0
      try OrderedWorkers(workers: workers).run(
        next: { () -> ArraySlice<JSONOutline.Batch>? in
          guard next < batches.count else { return nil }
          defer { next += Self.batch }
          return batches[next..<min(batches.count, next + Self.batch)]
        },
        transform: { _, part in
          part.map { element in
            let place = "\(file.file.path)/items/\(element.first)"
            let item = Self.value(tree, file.file.path, element.bytes)
            return DatumaroItem(
              path: item.flatMap { try? found.path(of: $0) } ?? place, file: Int32(number),
              place: Int32(clamping: element.first), start: element.bytes.lowerBound,
              count: Int32(clamping: element.bytes.count))
          }
        },
        deliver: { items += $0 })
    }
    items.sort { a, b in
      a.path == b.path
        ? (a.file, a.place) < (b.file, b.place) : SortedFiles.precedes(a.path, b.path)
    }
    for place in items.indices.dropFirst() where items[place].path == items[place - 1].path {
      items[place].isRepeated = true
    }
    self.items = items
    self.images = images
    self.classes = classes.categories
    issues = classes.issues
    reader = DatumaroReader(classes: classes)
  }

  func path(of item: DatumaroItem) -> String { item.path }

  func split(of item: DatumaroItem) -> String? { files[Int(item.file)].split }

  func read(_ item: DatumaroItem, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let path = files[Int(item.file)].file.path
    let pointer = "/items/\(item.place)"
    func reject(_ kind: IssueKind, _ text: String) -> LabeledImage {
      result.isRejected = true
      let lost =
        result.annotationsRead == 0
        ? ""
        : ", with its \(result.annotationsRead) "
          + (result.annotationsRead == 1 ? "annotation" : "annotations")
      result.issues.append(
        Issue(
          kind, .error, at: IssueLocation(file: path, pointer: pointer), "\(text); left out\(lost)")
      )
      return result
    }
    guard let value = Self.value(tree, path, item.start..<item.start + Int(item.count)) else {
      return reject(.badField, "the item is not valid JSON (NaN and Infinity are not)")
    }
    result.annotationsRead = value["annotations"]?.elements?.count ?? 0
    do throws(DatumaroImages.Problem) {
      _ = try images[Int(item.file)].path(of: value)
    } catch {
      return reject(error.kind, error.text)
    }
    if item.isRepeated {
      return reject(.duplicateID, "another item describes the image \(item.path), too")
    }
    reader.read(
      value, file: Int(item.file), at: IssueLocation(file: path, pointer: pointer),
      key: item.path, image: image, into: &result)
    return result
  }

  /// The value of an item; `nil` if it is not valid.
  private static func value(
    _ tree: any SourceTree, _ path: String, _ range: Range<Int>
  ) -> JSONValue? {
    guard let bytes = try? DatumaroFile.bytes(tree, path, range),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    return try? JSONValue(parsing: text)
  }
}
