import AssayCore
import AssayImaging

/// The images of record files with their labels and objects, for ``RegionImport``.
struct TFRecordSource: RegionSource {
  /// A record of a file.
  struct Item: Sendable {
    var file: Int32
    var row: Int32
  }

  let name: String
  let items: [Item]
  let classes: [Category]
  let issues: [Issue]
  private let layout: TFRecordLayout

  init(_ layout: TFRecordLayout) {
    self.layout = layout
    (name, issues) = (layout.name, layout.issues)
    classes = layout.labels.categories + layout.objects.categories
    items = layout.files.enumerated().flatMap { number, file in
      (0..<file.table.rows).map {
        Item(file: Int32(number), row: Int32(truncatingIfNeeded: $0))
      }
    }
  }

  func path(of item: Item) -> String {
    layout.path(of: Int(item.row), in: layout.files[Int(item.file)].table)
  }

  func split(of item: Item) -> String? { layout.files[Int(item.file)].split }

  func file(of item: Item, at path: String) -> SourceFile? {
    let table = layout.files[Int(item.file)].table
    return SourceFile(path: path, size: table.size, modified: table.modified)
  }

  func read(_ item: Item, image: ImageProbe?) -> LabeledImage {
    let key = image?.path ?? path(of: item)
    do {
      let example = try layout.files[Int(item.file)].table.record(Int(item.row))
      let size: ImageSize? = if case .success(let size)? = image?.size { size } else { nil }
      return try TFRecordReader(layout, example, key: key, size: size).read()
    } catch {
      var result = LabeledImage()
      result.issues = [
        Issue(
          .unreadableImage, .error, at: IssueLocation(file: key), sampleKey: key,
          "\(error); the image is left out")
      ]
      result.isRejected = true
      return result
    }
  }
}

extension TFRecordLayout {
  /// The path of the image in a record, with the name that the record states, or the suffix of its kind.
  func path(of row: Int, in table: TFRecordFile) -> String {
    let listed = EmbeddedImagePlace.path(table, TFRecordFile.column(features.image), row)
    guard let example = try? table.record(row) else { return listed }
    let name = features.name.flatMap { try? example.texts($0)?.first ?? nil }
    return listed
      + EmbeddedImagePlace.ending(
        name, (example.firstBytes(features.image) ?? []).prefix(ImageKind.detectedLength))
  }

  /// Pairs of images and index masks, for ``IndexMaskPlan``.
  func plan(
    _ mask: String, _ options: ImportOptions, in tree: any SourceTree
  ) -> IndexMaskPlan {
    let columns = (TFRecordFile.column(features.image), TFRecordFile.column(mask))
    var pairs: [MaskPair] = []
    for file in files {
      for row in 0..<file.table.rows {
        func source(_ column: String) -> SourceFile {
          SourceFile(
            path: EmbeddedImagePlace.path(file.table, column, row), size: file.table.size,
            modified: file.table.modified)
        }
        pairs.append(
          MaskPair(image: source(columns.0), mask: source(columns.1), split: file.split))
      }
    }
    let names = options.classes.map {
      ClassNames($0, isWide: { IndexMaskPlan.isWide(pairs, in: tree) })
    }
    var plan = IndexMaskPlan(
      name: name, pairs: pairs,
      classes: IndexClasses(
        names?.names ?? [:], hasBackground: names?.hasBackground ?? true,
        nameOf255: names?.nameOf255),
      issues: issues)
    let tables = files.reduce(into: [String: TFRecordFile]()) { $0[$1.table.path] = $1.table }
    plan.naming = { pair in
      guard let place = EmbeddedImagePlace(pair.image.path), let table = tables[place.file] else {
        return pair
      }
      var pair = pair
      pair.image.path = path(of: place.row, in: table)
      return pair
    }
    return plan
  }
}
