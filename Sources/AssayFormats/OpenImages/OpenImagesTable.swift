import AssayCore

/// One CSV file of Open Images, recognized by its header.
struct OpenImagesTable: Sendable {
  enum Kind: Hashable, Sendable {
    case boxes, masks
    /// Verified labels of whole images.
    case labels
    /// Image ids with their subset and rotation.
    case images
    /// Another table of the dataset, which is not read: its plural name.
    case other(String)
  }

  let file: SourceFile
  let kind: Kind
  /// The places of the columns.
  let columns: [String: Int]
  /// The number of columns.
  let count: Int
  /// The split in the file's name; `nil` if it has none.
  let split: String?

  private static let known: Set<String> = [
    "ImageID", "Source", "LabelName", "Confidence", "XMin", "XMax", "YMin", "YMax", "IsOccluded",
    "IsTruncated", "IsGroupOf", "IsDepiction", "IsInside", "MaskPath", "BoxID", "BoxXMin",
    "BoxXMax",
    "BoxYMin", "BoxYMax", "PredictedIoU", "Clicks",
  ]

  /// Localized Narratives, a JSON Lines file of spoken captions.
  private init(narratives file: SourceFile) {
    self.file = file
    kind = .other("localized narratives (captions)")
    columns = [:]
    count = 0
    split = nil
  }

  /// `nil` for a table without a column `ImageID` and one of Open Images' other columns; that of points
  /// spells the column `ImageId`.
  init?(_ file: SourceFile, header: [String]) {
    let columns = Dictionary(
      header.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    self.file = file
    self.columns = columns
    count = header.count
    let name = (file.path.split(separator: "/").last ?? "").lowercased()
    func has(_ names: String...) -> Bool { names.allSatisfy { columns[$0] != nil } }
    let isPoints = has("ImageId", "X", "Y", "Label")
    guard has("ImageID") || isPoints else { return nil }
    if isPoints {
      kind = .other("point labels")
    } else if has("LabelName", "MaskPath") {
      kind = .masks
    } else if has("LabelName", "XMin", "XMax", "YMin", "YMax") {
      kind = .boxes
    } else if has("LabelName", "X", "Y") {
      kind = .other("point labels")
    } else if columns["XMin"] == nil, has("LabelName", "Confidence") || has("LabelName", "Source") {
      kind = name.contains("machine") ? .other("machine-generated labels") : .labels
    } else if has("LabelName1", "LabelName2") {
      kind = .other("relationships of objects")
    } else if has("Rotation") || has("Subset") || has("OriginalURL") {
      kind = .images
    } else {
      return nil
    }
    let words = name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    split = words.first(where: SplitName.isKnown)
  }

  subscript(name: String) -> Int? { columns[name] }

  /// The annotations of the table, for people.
  var title: String {
    switch kind {
    case .boxes: "boxes"
    case .masks: "masks"
    case .labels: "verified image labels"
    case .images: "images"
    case .other(let name): name
    }
  }

  /// The columns of boxes and masks that are not kept.
  var ignored: [String] {
    columns.filter { !Self.known.contains($0.key) }.sorted { $0.value < $1.value }.map(\.key)
  }

  /// The maximum number of tables that are looked at.
  private static let limit = 256

  /// The tables of a source, and the other CSV files, in order of their paths; JSON Lines first.
  static func find(
    _ files: [SourceFile], in tree: any SourceTree
  ) -> (tables: [OpenImagesTable], others: [(file: SourceFile, header: [String])]) {
    var tables: [OpenImagesTable] = []
    var others: [(file: SourceFile, header: [String])] = []
    for file in files.lazy.filter({ $0.path.hasSuffix(".jsonl") }).prefix(limit)
    where Companions.kind(of: file, in: tree) == .narratives {
      tables.append(OpenImagesTable(narratives: file))
    }
    for file in files.lazy.filter({ $0.path.hasSuffix(".csv") }).prefix(limit) {
      guard let header = header(of: file.path, in: tree) else { continue }
      if let table = OpenImagesTable(file, header: header) {
        tables.append(table)
      } else {
        others.append((file, header))
      }
    }
    return (tables, others)
  }

  /// The fields of the first line; `nil` if it is longer than 64 KiB or not text.
  private static func header(of path: String, in tree: any SourceTree) -> [String]? {
    var head = [UInt8](repeating: 0, count: 1 << 16)
    guard let count = try? SourceContent.readHead(tree, path, into: &head) else { return nil }
    var line = head[..<count]
    if line.starts(with: TableHead.byteOrderMark) { line = line.dropFirst(3) }
    if let end = line.firstIndex(of: 0x0A) {
      line = line[..<end]
    } else if count == head.count {
      return nil
    }
    if line.last == 0x0D { line = line.dropLast() }
    return line.isEmpty || line.contains(0) ? nil : CSVFields.texts(of: Array(line))
  }
}
