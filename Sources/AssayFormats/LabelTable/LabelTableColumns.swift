import AssayCore

/// The meaning of the columns in a CSV of images and labels, from its header.
struct LabelTableColumns: Sendable {
  /// The form in which a row lists its labels.
  enum Labels: Sendable {
    /// One column lists their names.
    case list(Int)
    /// A 0/1 column for each class.
    case columns([(column: Int, name: String)])
  }

  let file: String
  /// The number of columns.
  let count: Int
  let image: Int
  let split: Int?
  private(set) var labels: Labels
  /// The names of columns that are not read.
  private(set) var ignored: [String] = []

  private static let imageNames: Set<String> = [
    "image", "img", "filename", "file_name", "file", "path", "image_path", "img_path", "filepath",
    "file_path", "image_name", "image_file", "image_filename", "image_id", "imageid",
  ]
  private static let listNames: Set<String> = ["labels", "tags", "classes", "categories"]
  /// Names of a column that usually contains one label, not several: read only if the format was
  /// given.
  private static let singularNames: Set<String> = ["label", "tag", "class", "category"]

  /// - Parameters:
  ///   - fields: the header's fields.
  ///   - isForced: whether the format was given, not detected.
  /// - Throws: ``FormatError/table(_:line:problem:)`` if the columns do not have this format.
  init(_ fields: [String], file: String, isForced: Bool) throws(FormatError) {
    self.file = file
    count = fields.count
    func refusal(_ problem: String) -> FormatError { .table(file, line: 1, problem: problem) }
    let names = fields.map(Self.plain)
    let images = names.indices.filter { Self.imageNames.contains(names[$0]) }
    guard let image = images.first else {
      throw refusal("no column of its first line is called image, filename, file or path")
    }
    guard images.count == 1 else {
      throw refusal(
        "the columns “\(fields[images[0]])” and “\(fields[images[1]])” may both name the image; "
          + "remove or rename one")
    }
    self.image = image
    let splits = names.indices.filter { names[$0] == "split" }
    guard splits.count < 2 else { throw refusal("two columns are called “split”") }
    split = splits.first
    let others = names.indices.filter { $0 != image && $0 != splits.first }
    guard !others.isEmpty else {
      throw refusal("it has no column besides the image's that could hold labels")
    }
    var lists = others.filter { Self.listNames.contains(names[$0]) }
    if lists.isEmpty, isForced { lists = others.filter { Self.singularNames.contains(names[$0]) } }
    guard lists.count < 2 else {
      throw refusal(
        "the columns “\(fields[lists[0]])” and “\(fields[lists[1]])” may both list the labels; "
          + "remove or rename one")
    }
    if let list = lists.first, !isForced,
      let single = others.first(where: { Self.singularNames.contains(names[$0]) })
    {
      throw refusal(
        "the columns “\(fields[list])” and “\(fields[single])” may both hold the labels; say which: "
          + "PATH:\(DatasetFormat.csv.rawValue) --columns image=\(fields[image]),label=\(fields[single])"
      )
    }
    if lists.isEmpty, let single = others.first(where: { Self.singularNames.contains(names[$0]) }) {
      throw refusal(
        "the column “\(fields[single])” may hold one label per image, or list several; name the format: "
          + "PATH:\(DatasetFormat.csv.rawValue) for one, PATH:\(DatasetFormat.multiLabelCSV.rawValue) "
          + "for a list")
    }
    if let list = lists.first {
      labels = .list(list)
      ignored = others.filter { $0 != list }.map { fields[$0] }
      return
    }
    guard others.count <= PixelTableMerge.classLimit else {
      throw .tooManyClasses(file, limit: PixelTableMerge.classLimit)
    }
    var seen: Set<String> = []
    for column in others {
      let name = fields[column]
      guard !name.isEmpty else { throw refusal("column \(column + 1) has no name") }
      guard name.utf8.count <= LabelReader.nameLimit else {
        throw refusal(
          "the name of column \(column + 1) has \(name.utf8.count) bytes, over \(LabelReader.nameLimit)"
        )
      }
      guard seen.insert(name).inserted else { throw refusal("two columns are called “\(name)”") }
    }
    labels = .columns(others.map { ($0, fields[$0]) })
  }

  /// True if a file has a column of image names and a 0/1 column for each class: class names can
  /// look like those of pixels (`c0`, `c1`), but a table of pixels does not name image files.
  static func isLabelTable(_ head: TableHead) -> Bool {
    let fields = head.firstFields
    guard !fields.contains(where: { $0.lowercased().hasPrefix("pixel") }),
      let columns = try? LabelTableColumns(fields, file: head.file, isForced: false),
      case .columns = columns.labels
    else { return false }
    return columns.probe(head.lines.dropFirst().map { CSVFields.texts(of: $0) }).isMatch
  }

  /// Returns whether a column with this name is never a class.
  static func isReserved(_ name: String) -> Bool {
    let name = plain(name)
    return name == "split" || imageNames.contains(name) || listNames.contains(name)
      || singularNames.contains(name)
  }

  private static func plain(_ name: String) -> String {
    String(name.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
  }

  /// Limits the columns to these classes, in their order; a column that lists labels is kept.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for a class without a column.
  mutating func select(_ classes: [String]) throws(FormatError) {
    guard case .columns(let columns) = labels else { return }
    var selected: [(column: Int, name: String)] = []
    for name in classes {
      guard let column = columns.first(where: { $0.name == name }) else {
        let near = NearMiss.suggestion(for: name, among: columns.map(\.name))
        throw .table(
          file, line: 1,
          problem: "no column is called “\(name)”, a class of --classes"
            + (near.map { " (did you mean “\($0)”?)" } ?? ""))
      }
      selected.append(column)
    }
    ignored = columns.map(\.name).filter { name in !selected.contains { $0.name == name } }
    labels = .columns(selected)
  }

  /// Returns whether the first rows contain image names and, in class columns, only 0 and 1.
  func probe(_ rows: [[String]]) -> Probe {
    let rows = rows.filter { $0.count == count }
    guard !rows.isEmpty else { return .noMatch("it has no row as long as its header") }
    if let row = rows.first(where: { !PairPath.isImageName($0[image]) }) {
      return .noMatch("“\(row[image])” in its image column is no image file")
    }
    switch labels {
    case .list: return .match("its header has a column of images and a column that lists labels")
    case .columns(let columns):
      for row in rows {
        if let (column, name) = columns.first(where: { Self.flag(row[$0.column]) == nil }) {
          return .noMatch(
            "column “\(name)” holds “\(row[column].prefix(40))”, neither 0 nor 1; name the format "
              + "to see why: PATH:\(DatasetFormat.multiLabelCSV.rawValue)")
        }
      }
      return .match(
        "its header has a column of images, and \(columns.count) columns hold 0 and 1")
    }
  }

  /// Returns whether the image has a class; `nil` if the text is neither.
  static func flag(_ text: String) -> Bool? {
    switch text {
    case "0": false
    case "1": true
    default:
      switch text.lowercased() {
      case "true": true
      case "false": false
      default: nil
      }
    }
  }
}
