import AssayCore

/// The rows of scores, or class numbers, of a NumPy array: `.npy`, or an array of an `.npz` file.
struct ArrayScoreRows: ScoreRowSource {
  let file: String
  let classes: [String]
  let isLabels: Bool
  private(set) var notes: [String] = []
  private let array: NPYArray
  private let keys: [String]?
  private let numbering: ClassNumbering

  /// The names of arrays that hold keys, and class names.
  private static let keyNames = ["keys", "samples", "sample", "ids", "files", "filenames", "names"]
  private static let classNames = ["classes", "class_names"]

  /// - Throws: ``FormatError``; any error that the trees throw.
  init(
    _ tree: any SourceTree, _ source: SourceFile, _ options: PredictionFileOptions,
    keys keysTree: (any SourceTree)?, keysName: String?, known: [String]
  ) throws {
    file = source.path
    func refuse(_ problem: String) -> FormatError { .predictions(source.path, problem: problem) }
    for (option, isGiven) in [
      ("--key-column", options.key != nil), ("--label-column", options.label != nil),
      ("--score-prefix", options.prefix != nil), ("--ignore-columns", !options.ignored.isEmpty),
      ("--separator", options.separator != nil), ("--decimal-comma", options.hasDecimalCommas),
    ] where isGiven {
      throw refuse("\(option) is for tables; an array has no columns with names")
    }
    let arrays = try NPYArray.arrays(tree, source)
    let array = try Self.scores(arrays, options, keysName, refuse)
    self.array = array
    let rows = array.shape.first ?? 0
    guard array.element.isNumber else {
      throw refuse(
        "\(array.name) has texts (\(array.descriptor)), not numbers; name the array of scores with --array"
      )
    }
    guard rows > 0 else { throw refuse("\(array.name) has no rows") }
    var classes = options.classes
    if let found = arrays.first(where: { Self.classNames.contains($0.name) })?.array,
      !found.element.isNumber
    {
      let stored = try found.texts()
      guard classes ?? stored == stored else {
        throw refuse(
          "--classes and the array “\(found.name)” differ: \(ClassNumbering.difference(classes ?? [], stored)); "
            + "leave out --classes if the array is right, else save the scores without it")
      }
      if classes == nil { notes.append("classes from the array “\(found.name)”") }
      classes = stored
    }
    numbering = ClassNumbering(classes ?? known, first: options.firstNumber)
    switch array.shape.count {
    case 2:
      isLabels = false
      guard let names = classes else {
        throw refuse(
          "\(array.name) has the shape \(NPYArray.text(array.shape)) and no names of classes; state their order "
            + "with --classes A,B,… or --classes FILE (\(array.rowWidth) names)")
      }
      guard names.count == array.rowWidth else {
        throw refuse(
          "\(array.name) has the shape \(NPYArray.text(array.shape)), and there are \(names.count) classes; expected "
            + "\(array.rowWidth) names in --classes")
      }
      self.classes = names
    case 1:
      isLabels = true
      guard case .integer = array.element else {
        throw refuse(
          "\(array.name) has the shape \(NPYArray.text(array.shape)) of \(array.descriptor); expected scores with the "
            + "shape (samples, classes), or class numbers as integers")
      }
      guard let first = options.firstNumber else {
        throw refuse(
          "\(array.name) has class numbers; state the number of the first class: --class-numbers 0 (or 1), with "
            + "--classes if they do not count the dataset's classes")
      }
      self.classes = numbering.names
      notes += numbering.notes
    default:
      throw refuse(
        "\(array.name) has the shape \(NPYArray.text(array.shape)); expected (samples, classes): reshape or take the "
          + "mean over the other axes before saving it")
    }
    var seen: Set<String> = []
    if let twice = self.classes.first(where: { !seen.insert($0).inserted }) {
      throw refuse("the class “\(twice)” occurs twice")
    }
    keys = try Self.keys(arrays, keysTree, keysName, refuse)
    if let keys, keys.count != rows {
      throw refuse("\(array.name) has \(rows) rows, and there are \(keys.count) keys")
    }
    if let empty = keys?.firstIndex(of: "") { throw refuse("the key of row \(empty + 1) is empty") }
    if array.isFortran, (tree.isSingleFile && arrays.count > 1) || array.name != source.path {
      guard array.rowWidth <= 64 else {
        throw refuse(
          "\(array.name) is in Fortran order; save it with np.ascontiguousarray")
      }
    }
  }

  /// The array of scores: the stated one, or the only one that can be it.
  private static func scores(
    _ arrays: [(name: String, array: NPYArray)], _ options: PredictionFileOptions,
    _ keysName: String?, _ refuse: (String) -> FormatError
  ) throws -> NPYArray {
    let list = arrays.map { "\($0.name) \(NPYArray.text($0.array.shape)) \($0.array.descriptor)" }
      .joined(separator: ", ")
    if let name = options.array {
      guard let found = arrays.first(where: { $0.name == name && !name.isEmpty }) else {
        throw refuse("there is no array “\(name)”; the arrays are \(list)")
      }
      return found.array
    }
    if arrays.count == 1 { return arrays[0].array }
    let numbers = arrays.filter { $0.array.element.isNumber && $0.name != keysName }
    let tables = numbers.filter { $0.array.shape.count >= 2 }
    if tables.count == 1 { return tables[0].array }
    if tables.isEmpty, numbers.count == 1 { return numbers[0].array }
    throw refuse("several arrays can be the scores; name one with --array: \(list)")
  }

  /// The keys of the rows; `nil` for none.
  private static func keys(
    _ arrays: [(name: String, array: NPYArray)], _ tree: (any SourceTree)?, _ name: String?,
    _ refuse: (String) -> FormatError
  ) throws -> [String]? {
    if let tree {
      guard tree.isSingleFile, let file = try tree.files().first else {
        throw refuse("--keys \(tree.name) is a folder; name a file with one key per line")
      }
      var head = [UInt8](repeating: 0, count: 6)
      _ = try SourceContent.readHead(tree, file.path, into: &head)
      if head == NPYArray.magic {
        return try texts(NPYArray(tree, file, name: file.path), refuse)
      }
      return try lines(tree, file)
    }
    if let name {
      guard let found = arrays.first(where: { $0.name == name }) else {
        throw refuse("--keys: there is neither a file nor an array “\(name)”")
      }
      return try texts(found.array, refuse)
    }
    let named = arrays.filter { keyNames.contains($0.name) }
    guard let found = named.first else { return nil }
    guard named.count == 1 else {
      throw refuse(
        "several arrays can be the keys: \(named.map(\.name).joined(separator: ", ")); name one with --keys"
      )
    }
    return try texts(found.array, refuse)
  }

  private static func texts(
    _ array: NPYArray, _ refuse: (String) -> FormatError
  ) throws -> [String] {
    guard array.element.isNumber else { return try array.texts() }
    guard case .integer = array.element, array.shape.count == 1 else {
      throw refuse("\(array.name) has \(array.descriptor); keys must be texts or integers")
    }
    var keys: [String] = []
    try array.forEachRow { _, values in
      guard let key = values.first.flatMap({ Int(exactly: $0) }) else {
        throw refuse("\(array.name) has integers that are too large for keys; save them as texts")
      }
      keys.append(String(key))
    }
    return keys
  }

  /// The lines of a text file, without the empty ones at its end.
  private static func lines(_ tree: any SourceTree, _ file: SourceFile) throws -> [String] {
    let limit = 1 << 30
    let bytes = try tree.readAll(file.path, limit: limit)
    if let found = SourceContent.binaryKind(of: Array(bytes.prefix(1 << 16))) {
      throw FormatError.binaryFile(file.path, found: found)
    }
    var keys: [String] = []
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let rest =
        keys.isEmpty && line.starts(with: TableHead.byteOrderMark) ? line.dropFirst(3) : line
      guard let text = String(validating: rest, as: UTF8.self) else {
        throw FormatError.table(file.path, line: keys.count + 1, problem: "invalid UTF-8")
      }
      keys.append(text)
    }
    while keys.last?.isEmpty == true { keys.removeLast() }
    return keys
  }

  var hasKeys: Bool { keys != nil }
  var hasTruth: Bool { false }

  func forEach(_ precision: ScorePrecision, _ body: (ScoreRow) throws -> Void) throws {
    var row = ScoreRow()
    try array.forEachRow { index, values in
      row.number = index + 1
      row.line = index + 1
      row.key = keys?[index]
      if isLabels {
        let number = values.first.flatMap { Int(exactly: $0) } ?? .min
        guard let place = numbering.index(ofNumber: number) else {
          throw fault(in: row, numbering.problem(String(number)))
        }
        row.label = place
        return try body(row)
      }
      if let place = values.firstIndex(where: { !$0.isFinite }) {
        throw fault(
          in: row,
          "\(values[place]) for “\(classes[place - values.startIndex])” is not a finite number")
      }
      row.scores =
        switch precision {
        case .single: values.map { Double(Float($0)) }
        case .double: Array(values)
        }
      try body(row)
    }
  }
}
