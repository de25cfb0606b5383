import AssayCore

/// One of CelebA's tables: an image per row, and numbers; blanks between fields (`.txt`) or commas
/// (Kaggle's `.csv`).
struct CelebATable: Sendable {
  /// The kind of a table, by its name.
  enum Kind: String, CaseIterable, Sendable {
    case attributes = "list_attr_celeba"
    case boxes = "list_bbox_celeba"
    case landmarks = "list_landmarks_celeba"
    case alignedLandmarks = "list_landmarks_align_celeba"
    case identity = "identity_celeba"
    case partition = "list_eval_partition"

    /// The kind of a file; `nil` for other files.
    init?(_ path: String) {
      guard path.hasSuffix(ignoringCase: ".txt") || path.hasSuffix(ignoringCase: ".csv") else {
        return nil
      }
      let name = path.fileName.lowercased()
      self.init(rawValue: String(name.dropLast(4)))
    }

    /// The number of values per row; `nil` if the header says so.
    var width: Int? {
      switch self {
      case .attributes: nil
      case .boxes: 4
      case .landmarks, .alignedLandmarks: 10
      case .identity, .partition: 1
      }
    }

    /// The table's content in words.
    var words: String {
      switch self {
      case .attributes: "attributes"
      case .boxes: "boxes"
      case .landmarks: "landmarks of the unaligned images"
      case .alignedLandmarks: "landmarks of the aligned images"
      case .identity: "identities"
      case .partition: "splits"
      }
    }
  }

  let kind: Kind
  let path: String
  /// The names of the columns after the image; empty if the table has no header.
  private(set) var columns: [String] = []
  /// The values of all rows, ``width`` per row.
  private var values: [Double] = []
  private(set) var width = 0
  /// The name of each row's image, and its line.
  private(set) var names: [String] = []
  private(set) var lines: [Int32] = []
  /// The row of each image, by its name without suffix.
  private var rows: [String: Int32] = [:]
  private(set) var issues: [Issue] = []

  /// The maximum number of rows, and of columns.
  private static let rowLimit = 5_000_000
  private static let columnLimit = 1_000

  /// Reads a table.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for an invalid header; as ``ImageList``.
  init(_ tree: any SourceTree, _ kind: Kind, _ path: String) throws {
    self.kind = kind
    self.path = path
    let isCSV = path.hasSuffix(ignoringCase: ".csv")
    var limit = IssueLimit()
    var (stated, found): (Int?, [Issue]) = (nil, [])
    width = kind.width ?? 0
    try ImageList.forEachLine(tree, path) { line, number in
      let fields = line.split(omittingEmptySubsequences: !isCSV) {
        isCSV ? $0 == "," : $0 == " " || $0 == "\t"
      }.map { LabelSeparator.trimmed(String($0)) }
      func report(_ kind: IssueKind, _ severity: Issue.Severity, _ text: String) {
        guard limit.admits(kind) else { return }
        found.append(Issue(kind, severity, at: IssueLocation(file: path, line: number), text))
      }
      if names.isEmpty, columns.isEmpty, !PairPath.isImageName(fields.first ?? "") {
        if fields.count == 1, stated == nil, let count = Int(fields[0]) {
          stated = count
        } else {
          try readHeader(fields, number)
        }
        return
      }
      guard names.count < Self.rowLimit else {
        throw FormatError.tooManyRows(path, limit: Self.rowLimit)
      }
      guard fields.count == width + 1 else {
        report(
          .fieldCount, .error,
          "\(fields.count) fields, expected an image and \(width) \(width == 1 ? "value" : "values"); "
            + "the row is left out")
        return
      }
      guard PairPath.isImageName(fields[0]), !fields[0].contains("/"), !fields[0].contains("\\")
      else {
        report(
          fields[0].contains("/") || fields[0].contains("\\") ? .outsideRoot : .badField, .error,
          "“\(fields[0].prefix(60))” is not the name of an image; the row is left out")
        return
      }
      let numbers = fields.dropFirst().map { Double($0) ?? .nan }
      guard let bad = numbers.firstIndex(where: { !isValid($0) }) else {
        add(fields[0], numbers, number, report)
        return
      }
      report(
        .badField, .error,
        "invalid value “\(fields[bad + 1].prefix(20))” of \(fields[0]); the row is left out")
    }
    if let stated, stated != names.count {
      found.append(
        Issue(
          stated > names.count ? .truncated : .badField, .warning, at: IssueLocation(file: path),
          "\(path) states \(Counted.text(stated, "row", "rows")), and \(names.count) can be used"))
    }
    issues = found + limit.remainder(in: path)
  }

  private mutating func readHeader(_ fields: [String], _ line: Int) throws(FormatError) {
    // Kaggle's header and that of boxes name the column of images, too.
    let isNamed = ["image_id", "image", "filename", ""].contains(fields.first?.lowercased() ?? "")
    columns = isNamed ? Array(fields.dropFirst()) : fields
    columns.removeAll { $0.isEmpty }
    guard kind.width == nil || kind.width == columns.count else {
      throw .table(
        path, line: line,
        problem: "expected \(kind.width ?? 0) columns of \(kind.words), found \(columns.count)")
    }
    guard !columns.isEmpty, columns.count <= Self.columnLimit, Set(columns).count == columns.count,
      columns.allSatisfy({ $0.utf8.count <= LabelReader.nameLimit })
    else {
      throw .table(
        path, line: line,
        problem: "expected 1 to \(Self.columnLimit) different names of columns")
    }
    width = columns.count
  }

  private func isValid(_ value: Double) -> Bool {
    switch kind {
    case .attributes: [-1, 0, 1].contains(value)
    case .partition: [0, 1, 2].contains(value)
    case .identity: value.rounded() == value && abs(value) < 1e15
    case .boxes, .landmarks, .alignedLandmarks: value.isFinite
    }
  }

  private mutating func add(
    _ name: String, _ numbers: [Double], _ line: Int,
    _ report: (IssueKind, Issue.Severity, String) -> Void
  ) {
    let stem = String(SortedFiles.stem(of: name))
    if let row = rows[stem] {
      let isSame = Array(self[Int(row)]) == numbers
      report(
        .duplicateID, .warning,
        "\(name) is in line \(lines[Int(row)]), too, with \(isSame ? "the same" : "other") values; "
          + "the first row counts")
      return
    }
    rows[stem] = Int32(names.count)
    names.append(name)
    lines.append(Int32(clamping: line))
    values += numbers
  }

  /// The values of a row.
  subscript(row: Int) -> ArraySlice<Double> { values[(row * width)..<((row + 1) * width)] }

  /// The row of an image; `nil` if the table does not have it.
  func row(of stem: Substring) -> Int? { rows[String(stem)].map(Int.init) }
}
