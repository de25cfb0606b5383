import AssayCore

/// The metadata files of a source, and the images that they describe.
struct HFLayout {
  /// An image: the index of its file (-1 - *n* for the *n*-th missing one), and its record; -1 for
  /// none.
  struct Item: Sendable {
    var image: Int32
    var table: Int32 = -1
    var record: Int32 = -1
  }

  let files: SortedFiles
  private(set) var tables: [HFMetadata] = []
  private(set) var items: [Item] = []
  private(set) var missing: [String] = []
  private(set) var issues: [Issue] = []
  /// The paths of the metadata.
  private(set) var known: Set<String> = []
  private var limit = IssueLimit()

  /// - Throws: ``FormatError``; any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    files = SortedFiles(try tree.files())
    for file in files.files where HFMetadata.isNamed(file.path) {
      let folder = SortedFiles.folder(of: file.path)
      if let other = tables.first(where: { SortedFiles.folder(of: $0.path) == folder }) {
        throw FormatError.mismatch(
          name: tree.name, format: .hfImageFolder,
          reason: "\(other.path) and \(file.path) describe the same folder; remove one of them")
      }
      known.insert(file.path)
      tables.append(try HFMetadata(tree, file.path))
    }
    resolve(tree)
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ table: HFMetadata,
    _ record: HFMetadata.Record, _ message: String
  ) {
    guard limit.admits(kind) else { return }
    issues.append(
      Issue(kind, severity, at: IssueLocation(file: table.path, line: record.line), message))
  }

  /// Finds the image of each record; names are relative to the folder of the metadata.
  private mutating func resolve(_ tree: any SourceTree) {
    var taken: [Int32: Item] = [:]
    var missingPlaces: [String: Int32] = [:]
    for (place, table) in tables.enumerated() {
      issues += table.issues
      let folder = SortedFiles.folder(of: table.path)
      for (number, record) in table.records.enumerated() {
        guard let path = Self.path(record.name, below: folder) else {
          note(
            .outsideRoot, .error, table, record,
            "“\(record.name.prefix(80))” is outside the folder of the metadata; left out")
          continue
        }
        var image = files.index(of: path).map(Int32.init)
        if image == nil {
          image = missingPlaces[path]
          if image == nil {
            missing.append(path)
            image = Int32(-missing.count)
            missingPlaces[path] = image
          }
        }
        guard let image else { continue }
        guard taken[image] == nil else {
          note(
            .duplicateID, .error, table, record,
            "\(record.name) is in an earlier line, too; that line counts")
          continue
        }
        taken[image] = Item(image: image, table: Int32(place), record: Int32(number))
      }
    }
    issues += limit.remainder(in: tree.name)
    items = Array(taken.values)
    for index in files.files.indices
    where PairPath.isImageName(files[index]) && taken[Int32(index)] == nil {
      items.append(Item(image: Int32(index)))
    }
    let unsorted = items
    items = unsorted.sorted { SortedFiles.precedes(path(of: $0), path(of: $1)) }
  }

  /// A path below a folder; `nil` if the name leaves it.
  private static func path(_ name: String, below folder: Substring) -> String? {
    let parts = name.split(separator: "/")
    guard !name.hasPrefix("/"), !name.contains("\\"), !name.utf8.contains(0),
      !parts.contains(".."), name.dropFirst().first != ":"
    else { return nil }
    let plain = parts.filter { $0 != "." }.joined(separator: "/")
    return plain.isEmpty ? nil : SortedFiles.join(folder, plain)
  }

  /// The path of an item's image.
  func path(of item: Item) -> String {
    item.image >= 0 ? files[Int(item.image)] : missing[Int(-1 - item.image)]
  }

  /// The metadata and record of an item; `nil` if it has none.
  func record(of item: Item) -> (table: HFMetadata, record: HFMetadata.Record)? {
    guard item.table >= 0 else { return nil }
    let table = tables[Int(item.table)]
    return (table, table.records[Int(item.record)])
  }
}
