/// The columns of a predictions table by what they hold, from stated options and reserved names.
struct PredictionColumns: Hashable, Sendable {
  /// A column's name, and whether it is in quotes.
  struct Header: Hashable, Sendable {
    var name: String
    var isQuoted = false
    /// True if the column's values are lists of numbers.
    var isList = false
  }

  var count: Int
  var key: Int?
  var truth: Int?
  /// The column of predicted classes; `nil` if there are scores.
  var label: Int?
  /// A first column without a name that must hold the row numbers, as pandas writes its index.
  var index: Int?
  /// A column of lists of scores, one per class; `nil` if each class has its own column.
  var list: Int?
  /// The columns of scores, with the classes in the file's order.
  var scores: [(column: Int, name: String)] = []
  /// The names of columns that are passed over without being named by an option.
  var passed: [String] = []
  /// The name of the first score column as the file has it, for errors.
  private(set) var names: [String]

  /// Names of columns that hold predicted classes if nothing else is in the table.
  static let predictionNames = [
    "prediction", "predictions", "predicted", "pred", "preds", "predicted_label", "predicted_class",
    "pred_label", "pred_class", "predicted_index", "predicted_idx", "pred_index", "pred_idx",
    "y_pred", "y_hat",
  ]
  /// Names of columns that hold keys in other programs' files, and that are never a class's.
  static let keyLikeNames: Set<String> = [
    "image", "image_id", "imageid", "image_name", "image_path", "img", "filename", "file_name",
    "filepath", "file_path", "path", "name", "sample_id", "sample_key", "fname", "filenames",
    "files", "image_file", "imagepath", "imagename", "images", "img_path", "img_name", "img_id",
    "uri", "url", "image_uri", "image_url", "uid", "uuid",
  ]
  /// Names of columns that other programs write beside the scores, and that are never a class's.
  static let measureNames: Set<String> = Set(predictionNames).union([
    "target", "targets", "label", "labels", "truth", "ground_truth", "groundtruth", "gt", "y",
    "y_true", "true_label", "true_class", "loss", "nll", "entropy", "confidence", "conf", "score",
    "max_score", "prob", "probability", "max_prob", "max_probability", "logit", "max_logit",
    "margin", "uncertainty", "correct", "is_correct", "fold", "split", "subset", "epoch", "step",
    "weight", "index", "idx", "batch", "time",
  ])

  static func == (first: Self, second: Self) -> Bool {
    first.names == second.names && first.key == second.key && first.label == second.label
  }

  func hash(into hasher: inout Hasher) { hasher.combine(names) }

  /// - Parameters:
  ///   - known: the dataset's classes.
  ///   - indexName: the name under which pandas stores its index.
  /// - Throws: ``PredictionColumnProblem``.
  init(
    _ headers: [Header], _ options: PredictionFileOptions, known: [String], indexName: String = ""
  ) throws(PredictionColumnProblem) {
    count = headers.count
    names = headers.map(\.name)
    func find(_ name: String, _ option: String) throws(PredictionColumnProblem) -> Int {
      let found = headers.indices.filter { headers[$0].name == name }
      guard found.count < 2 else {
        throw PredictionColumnProblem("\(option): there are \(found.count) columns “\(name)”")
      }
      guard let column = found.first else {
        throw PredictionColumnProblem(
          "\(option): there is no column “\(name)”; the columns are "
            + Self.list(headers.map(\.name)))
      }
      return column
    }
    var taken: Set<Int> = []
    for name in options.ignored { taken.insert(try find(name, "--ignore-columns")) }
    if let name = options.key {
      let column = try find(name, "--key-column")
      key = column
      taken.insert(column)
    } else if let first = headers.first, !first.isQuoted, !taken.contains(0),
      TableColumns.namesKeys(first.name)
    {
      key = 0
      taken.insert(0)
    }
    if let name = options.label {
      guard options.prefix == nil else {
        throw PredictionColumnProblem(
          "--label-column and --score-prefix: predicted classes follow from the scores; give one of them"
        )
      }
      let column = try find(name, "--label-column")
      guard column != key else {
        throw PredictionColumnProblem("--label-column: “\(name)” is the column of keys")
      }
      label = column
      taken.insert(column)
    }
    let truthPlace = key == 0 ? 1 : 0
    if options.label == nil, headers.indices.contains(truthPlace), !taken.contains(truthPlace),
      !headers[truthPlace].isQuoted, TableColumns.namesTruth(headers[truthPlace].name)
    {
      truth = truthPlace
      taken.insert(truthPlace)
    }
    if let first = headers.first, first.name == indexName, !taken.contains(0) {
      index = 0
      taken.insert(0)
    } else if !indexName.isEmpty,
      let column = headers.firstIndex(where: { $0.name == indexName }), !taken.contains(column)
    {
      index = column
      taken.insert(column)
    }
    let rest = headers.indices.filter { !taken.contains($0) }
    if key == nil {
      try checkKeys(headers, rest, options, known)
    }
    if label != nil {
      passed = rest.map { headers[$0].name }
      return
    }
    try takeScores(headers, rest, options, known)
  }

  /// Rejects columns that look like the samples' keys where rows would be joined by their order.
  private func checkKeys(
    _ headers: [Header], _ rest: [Int], _ options: PredictionFileOptions, _ known: [String]
  ) throws(PredictionColumnProblem) {
    let classes = known + (options.classes ?? [])
    for column in rest where !headers[column].isQuoted && !headers[column].isList {
      let name = headers[column].name
      guard Self.keyLikeNames.contains(name.lowercased()) || TableColumns.namesKeys(name),
        !classes.contains(name), options.prefix.map({ !name.hasPrefix($0) }) ?? true
      else { continue }
      throw PredictionColumnProblem(
        "column \(column + 1), “\(name)”, is not a class of the dataset and looks like the samples' "
          + "keys; give --key-column \(ShellText.quoted(name)), or leave it out: --ignore-columns \(ShellText.quoted(name))"
      )
    }
  }

  private mutating func takeScores(
    _ headers: [Header], _ rest: [Int], _ options: PredictionFileOptions, _ known: [String]
  ) throws(PredictionColumnProblem) {
    let lists = rest.filter { headers[$0].isList }
    if let column = lists.first {
      guard lists.count == 1 else {
        throw PredictionColumnProblem(
          "there are \(lists.count) columns of lists, \(Self.list(lists.map { headers[$0].name })); "
            + "leave out all but the scores with --ignore-columns")
      }
      list = column
      passed = rest.filter { $0 != column }.map { headers[$0].name }
      guard let classes = options.classes else {
        throw PredictionColumnProblem(
          "“\(headers[column].name)” has a list of scores per row; state the order of its classes with "
            + "--classes A,B,… or --classes FILE")
      }
      scores = classes.map { (column, $0) }
      return try checkClasses()
    }
    if rest.count == 1, options.prefix == nil, !headers[rest[0]].isQuoted,
      Self.predictionNames.contains(headers[rest[0]].name.lowercased()),
      !known.contains(headers[rest[0]].name)
    {
      label = rest[0]
      return
    }
    let numbering = ClassNumbering(options.classes ?? known, first: options.firstNumber)
    var chosen: [(column: Int, name: String)] = []
    for column in rest {
      let name = headers[column].name
      if let prefix = options.prefix {
        guard name.hasPrefix(prefix), name.count > prefix.count else {
          passed.append(name)
          continue
        }
        chosen.append((column, String(name.dropFirst(prefix.count))))
      } else {
        chosen.append((column, name))
      }
    }
    if let prefix = options.prefix, chosen.isEmpty {
      throw PredictionColumnProblem(
        "--score-prefix: no column begins with “\(prefix)”; the columns are "
          + Self.list(headers.map(\.name)))
    }
    for (column, name) in chosen {
      guard options.firstNumber != nil, ClassNumbering.number(name) != nil else {
        if let classes = options.classes, !classes.contains(name) {
          passed.append(headers[column].name)
        } else {
          scores.append((column, name))
        }
        continue
      }
      guard let place = numbering.index(of: name) else {
        throw PredictionColumnProblem("column \(column + 1): \(numbering.problem(name))")
      }
      scores.append((column, numbering.names[place]))
    }
    if let classes = options.classes {
      let found = Set(scores.map(\.name))
      let absent = classes.filter { !found.contains($0) }
      guard absent.isEmpty else {
        throw PredictionColumnProblem(
          "--classes: there is no column for \(Self.list(absent)); the columns are "
            + Self.list(headers.map(\.name)))
      }
    }
    try checkNames(headers, known, options)
  }

  /// Rejects columns that are certainly not classes, and names the option that reads them.
  private func checkNames(
    _ headers: [Header], _ known: [String], _ options: PredictionFileOptions
  ) throws(PredictionColumnProblem) {
    guard !scores.isEmpty else {
      let others = headers.map(\.name)
      throw PredictionColumnProblem(
        "the table has no column of scores (columns: \(Self.list(others))); expected: sample, then a column of "
          + "probabilities per class; if a column holds the predicted classes, name it with --label-column"
      )
    }
    for (column, name) in scores {
      guard !name.isEmpty else {
        throw PredictionColumnProblem(
          "column \(column + 1) has no name, so it is not a class; leave it out with --ignore-columns ''"
        )
      }
      guard !known.contains(name), !headers[column].isQuoted, options.classes == nil else {
        continue
      }
      if scores.contains(where: { known.contains($0.name) }),
        Self.measureNames.contains(name.lowercased())
      {
        throw PredictionColumnProblem(
          "column \(column + 1), “\(name)”, is not a class of the dataset; leave it out: --ignore-columns "
            + "\(ShellText.quoted(name)). If the model has a class of this name, list its classes with --classes"
        )
      }
    }
    let unknown = scores.filter { !known.contains($0.name) }
    if let truth, scores.count == 1, let only = unknown.first, options.classes == nil {
      let (label, score) = (headers[truth].name, headers[only.column].name)
      throw PredictionColumnProblem(
        "“\(score)” is the only column of scores and not a class of the dataset; if “\(label)” holds the predicted "
          + "classes, give --label-column \(ShellText.quoted(label))")
    }
    if options.prefix == nil, unknown.count == scores.count,
      let prefix = Self.commonPrefix(scores.map(\.name), known)
    {
      throw PredictionColumnProblem(
        "the columns are classes of the dataset after “\(prefix)”: give --score-prefix "
          + ShellText.quoted(prefix))
    }
    if options.firstNumber == nil, !known.isEmpty, scores.count > 1,
      scores.allSatisfy({ ClassNumbering.number($0.name) != nil && !known.contains($0.name) })
    {
      throw PredictionColumnProblem(
        "the columns are numbers (\(Self.list(scores.map(\.name)))), not classes of the dataset; state the "
          + "number of the first class: --class-numbers 0 (or 1), with --classes if they do not count the "
          + "dataset's classes (\(Self.list(known)))")
    }
    try checkClasses()
  }

  /// The text before the names of at least two classes; `nil` for none.
  private static func commonPrefix(_ names: [String], _ known: [String]) -> String? {
    var counts: [String: Int] = [:]
    for name in names {
      for known in known where name.count > known.count && name.hasSuffix(known) {
        counts[String(name.dropLast(known.count)), default: 0] += 1
      }
    }
    return counts.filter { $0.value > 1 }.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  private func checkClasses() throws(PredictionColumnProblem) {
    var seen: Set<String> = []
    for (_, name) in scores where !seen.insert(name).inserted {
      throw PredictionColumnProblem("there are two columns for the class “\(name)”")
    }
  }

  /// Returns the reason why a text in a score column is not a number, and the options that help.
  func problem(_ text: String, column: Int, options: PredictionFileOptions) -> String {
    let name = names.indices.contains(column) ? names[column] : ""
    let start = "'\(text.prefix(60))' in column '\(name)' is not a finite number"
    if text.hasSuffix("%") {
      return "\(start) but a percentage; write it as a probability from 0 to 1 (0.25 for 25%)"
    }
    if !options.hasDecimalCommas, Self.hasDecimalComma(text) {
      return "\(start): it has a decimal comma; give --decimal-comma"
    }
    if options.hasDecimalCommas, text.contains(".") {
      return "\(start) with a decimal comma (--decimal-comma): it has a point"
    }
    if text.isEmpty
      || ["nan", "inf", "-inf", "infinity", "-infinity", "na", "null", "none"]
        .contains(text.lowercased())
    {
      return "\(start); each class needs a score in each row"
    }
    let quoted = ShellText.quoted(name)
    return """
      \(start), so the column is not a class; if it holds the samples' keys, give --key-column \(quoted); if it \
      holds the predicted classes, --label-column \(quoted); leave any other column out with --ignore-columns \
      \(quoted)
      """
  }

  private static func hasDecimalComma(_ text: String) -> Bool {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.joined().contains(where: \.isNumber)
      && Double(parts.joined(separator: ".")) != nil
  }

  static func list(_ names: [String]) -> String {
    names.prefix(8).map { "“\($0.prefix(60))”" }.joined(separator: ", ")
      + (names.count > 8 ? ", … (\(names.count))" : "")
  }
}
