import AssayCore
import Synchronization

/// The images of a table of boxes and their objects, for ``RegionImport``.
struct BoxTableSource: RegionSource {
  let name: String
  /// The numbers of the images, sorted by path.
  let items: [Int32]
  let classes: [Category]
  let issues: [Issue]

  private let tree: any SourceTree
  private let form: BoxTableForm
  private let index: BoxTableIndex
  /// The classes that labels must be, by name and by number; `nil` if every label is a class.
  private let given: [String]?
  private let known: Set<String>
  /// The folder that the names of images are below, if the table is part of a folder; empty for the root.
  private let folder: String
  /// The split of images for which no column states one.
  private let split: String?
  /// The numbers of objects, and of those whose coordinates could also be relative.
  let tally = BoxTableTally()

  /// The class of objects in a table without labels.
  static let unnamed = "object"

  init(
    _ tree: any SourceTree, _ form: BoxTableForm, _ index: BoxTableIndex, given: [String]?,
    folder: String = "", split: String? = nil
  ) {
    self.folder = folder
    self.split = split
    name = tree.name
    let paths = index.paths
    items = paths.indices.map { Int32($0) }.sorted { a, b in
      SortedFiles.precedes(paths[Int(a)], paths[Int(b)])
    }
    classes = (given ?? []).map { Category(name: $0) }
    var issues = index.issues
    if !form.ignored.isEmpty {
      issues.append(
        Issue(
          .unsupportedField, .warning, at: IssueLocation(file: form.file, line: 1),
          "columns that are not kept: \(form.ignored.prefix(12).joined(separator: ", "))"))
    }
    self.issues = issues
    self.tree = tree
    self.form = form
    self.index = index
    self.given = given
    known = Set(given ?? [])
  }

  func path(of item: Int32) -> String { SortedFiles.join(folder, index.paths[Int(item)]) }

  func split(of item: Int32) -> String? {
    let split = index.splits[Int(item)]
    guard split < 0 else { return index.splitNames[Int(split)] }
    return form.split != nil ? nil : self.split
  }

  /// The path of the table.
  var file: String { form.file }

  func read(_ item: Int32, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let key = path(of: item)
    var rows: [(row: BoxTableRow, location: IssueLocation)] = []
    var seen: Set<[UInt8]> = []
    let split = self.split(of: item)
    for segment in index.segments.of(item) {
      do {
        try RowSegments.read(segment, of: form.file, in: tree) { line, number in
          let location = IssueLocation(file: form.file, line: number)
          func note(_ kind: IssueKind, _ severity: Issue.Severity, _ message: String) {
            result.issues.append(Issue(kind, severity, at: location, sampleKey: key, message))
          }
          do throws(BoxTableRow.Problem) {
            guard let row = try BoxTableRow(line, form) else { return }
            result.annotationsRead += 1
            guard seen.insert(Array(line)).inserted else {
              note(.duplicateID, .warning, "the row repeats another one of the image; counted once")
              return
            }
            if row.split != split, form.split != nil {
              note(
                .badField, .warning,
                "the split is “\(row.split ?? "")”, and “\(split ?? "")” in an earlier row of the image; "
                  + "the first counts")
            }
            rows.append((row, location))
          } catch {
            result.annotationsRead += 1
            note(error.kind, .error, "\(error.text); left out")
          }
        }
      } catch {
        result.isRejected = true
        result.issues.append(
          Issue(
            .unsupportedFile, .error, at: IssueLocation(file: form.file), sampleKey: key,
            "\(error); the image is left out"))
        return result
      }
    }
    result.statedSize = rows.lazy.compactMap(\.row.size).first
    var size = result.statedSize
    if case .success(let found)? = image?.size { size = found }
    var scale = (x: 1.0, y: 1.0)
    if form.coordinates == .relative {
      guard let size else {
        // A problem with the image is reported by the import.
        result.isRejected = true
        guard image == nil else { return result }
        result.issues.append(
          Issue(
            .missingImage, .error, at: rows.first?.location ?? IssueLocation(file: form.file),
            sampleKey: key,
            "\(key) does not exist, and its coordinates are relative to its size; left out"))
        return result
      }
      scale = (Double(size.width), Double(size.height))
    }
    for (row, location) in rows { add(row, scale, location, key, &result) }
    if form.isOfLabels { result.takeLabel(from: Array(result.regions.indices)) }
    return result
  }

  private func add(
    _ row: BoxTableRow, _ scale: (x: Double, y: Double), _ location: IssueLocation, _ key: String,
    _ image: inout LabeledImage
  ) {
    func note(_ kind: IssueKind, _ severity: Issue.Severity, _ message: String) {
      image.issues.append(Issue(kind, severity, at: location, sampleKey: key, message))
    }
    var label = row.label ?? Self.unnamed
    if let given, row.label != nil, !known.contains(label) {
      guard let number = Int(label), given.indices.contains(number) else {
        let near = NearMiss.suggestion(for: label, among: given)
        note(
          .unknownLabel, .error,
          "unknown class “\(label.prefix(80))”; it is not among --classes"
            + (near.map { " (did you mean “\($0)”?)" } ?? "") + "; left out")
        return
      }
      label = given[number]
    }
    if let size = row.size, let stated = image.statedSize, size != stated {
      note(.imageSize, .warning, "the row states \(size), and an earlier row \(stated)")
    }
    let box = row.box(form, scale: scale)
    let shape: LabeledRegion.Shape
    if form.isOfLabels {
      guard !image.regions.contains(where: { $0.category.name == label }) else {
        return note(
          .duplicateID, .warning, "the row repeats a label of the image; counted once")
      }
      shape = .tag
    } else if let points = row.points(scale: scale) {
      shape = .polygons([points])
    } else if let box {
      shape = .box(box)
    } else {
      return
    }
    let numbers = (row.box ?? []) + (row.polygon ?? [])
    tally.add(isSmall: !numbers.isEmpty && numbers.allSatisfy { (0...1).contains($0) })
    var region = LabeledRegion(
      category: Category(name: label), shape: shape, box: row.polygon == nil ? nil : box,
      at: location, title: "“\(label)”")
    region.attributes = row.attributes
    image.regions.append(region)
  }
}

/// The counts of all workers.
final class BoxTableTally: Sendable {
  private let counts = Mutex((all: 0, small: 0))

  /// - Parameter isSmall: whether all coordinates are from 0 to 1.
  func add(isSmall: Bool) {
    counts.withLock { counts in
      counts.all += 1
      if isSmall { counts.small += 1 }
    }
  }

  /// True if there are objects and all their coordinates are from 0 to 1.
  var isAllSmall: Bool { counts.withLock { $0.all > 0 && $0.all == $0.small } }
}
