/// Reads the left side of a comparison: `label`, `count(happy)`, `run(r1).correct`.
enum SubjectParser {
  /// The words that can start a subject.
  static let words =
    [
      "split", "label", "labels", "key", "width", "height", "aspect", "issue", "part", "count",
      "coverage",
      "objects", "run", "similarity",
      "corrections", "corrected_by", "tag", "note", "field",
    ] + ViewExpression.SampleField.allCases.map(\.rawValue)
    + ViewExpression.ReviewMark.allCases.map(\.rawValue)

  /// - Returns: the subject, and the 0-based character where it starts.
  static func parse(
    _ tokens: inout TokenReader
  ) throws(ExpressionError) -> (ViewExpression.Subject, offset: Int) {
    let first = tokens.next
    guard first.kind == .word, !["and", "or", "in"].contains(first.text) else {
      throw tokens.unexpected("a comparison such as “split = validation”")
    }
    _ = tokens.take()
    let subject: ViewExpression.Subject
    switch first.text {
    case "split": subject = .split
    case "label": subject = .label
    case "labels":
      subject =
        tokens.next.kind == .symbol(.leftParenthesis)
        ? .labelsWith(try ObjectParser.parse(&tokens, example: "labels(class = dog)")) : .labels
    case "key": subject = .key
    case "width": subject = .width
    case "height": subject = .height
    case "aspect": subject = .aspect
    case "issue": subject = .issue
    case "part":
      subject = .part(
        tokens.next.kind == .symbol(.leftParenthesis)
          ? try argument(&tokens, of: "part", "a partition") : nil)
    case "count":
      subject = try count(&tokens)
    case "coverage":
      subject = .coverage(try argument(&tokens, of: "coverage", "a class"))
    case "objects": subject = .objects(run: nil, try ObjectParser.parse(&tokens))
    case "run":
      subject = try run(&tokens)
    case "similarity": subject = try similarity(&tokens)
    case "corrections": subject = .corrections
    case "corrected_by": subject = .correctedBy
    case "tag": subject = .tag
    case "note": subject = .note
    case "field": subject = .custom(try argument(&tokens, of: "field", "the name of a field"))
    default:
      if let mark = ViewExpression.ReviewMark(rawValue: first.text) {
        subject = .mark(mark)
        break
      }
      if let field = ViewExpression.SampleField(rawValue: first.text) {
        subject = .field(field)
        break
      }
      throw ExpressionError(
        source: tokens.source, offset: first.offset,
        message: "unknown field “\(first.text)”", word: first.text,
        candidates: words)
    }
    return (subject, first.offset)
  }

  private static func argument(
    _ tokens: inout TokenReader, of function: String, _ what: String
  ) throws(ExpressionError) -> ViewExpression.Word {
    let example = "as in \(function)(NAME)"
    try tokens.expect(.leftParenthesis, "and \(what), \(example)")
    let name = try tokens.expectName(what)
    try tokens.expect(.rightParenthesis, "after \(what) (a name with blanks is quoted)")
    return name
  }

  /// `(person)` or `(person, crowd)`.
  private static func count(
    _ tokens: inout TokenReader
  ) throws(ExpressionError) -> ViewExpression.Subject {
    try tokens.expect(.leftParenthesis, "and a class, as in count(NAME)")
    let name = try tokens.expectName("a class")
    guard tokens.take(.comma) else {
      try tokens.expect(
        .rightParenthesis, "or “, crowd” after a class (a name with blanks is quoted)")
      return .count(name, isCrowd: false)
    }
    guard tokens.take(word: "crowd") else {
      throw tokens.unexpected("“crowd”, as in count(NAME, crowd)", words: ["crowd"])
    }
    try tokens.expect(.rightParenthesis, "after “crowd”")
    return .count(name, isCrowd: true)
  }

  /// `(r1, "a.png")`.
  private static func similarity(
    _ tokens: inout TokenReader
  ) throws(ExpressionError) -> ViewExpression.Subject {
    let example = "as in similarity(RUN, KEY)"
    try tokens.expect(.leftParenthesis, "and a run, \(example)")
    let run = try tokens.expectName("a run")
    try tokens.expect(.comma, "and the key of a sample, \(example)")
    let key = try tokens.expectName("the key of a sample")
    try tokens.expect(
      .rightParenthesis, "after the key (one with slashes or blanks is quoted)")
    return .similarity(run: run, to: key)
  }

  /// `(r1).correct`, `(r1@strict).iou` or `(r1, class: person, iou: 0.75, score: 0.5).missed`.
  private static func run(
    _ tokens: inout TokenReader
  ) throws(ExpressionError) -> ViewExpression.Subject {
    try tokens.expect(.leftParenthesis, "and a run, as in run(NAME)")
    let (run, evaluation) = try tokens.expectName("a run").parts(at: "@")
    var cut = ViewExpression.MatchThresholds()
    while tokens.take(.comma) {
      let word = tokens.next
      guard word.isWord("iou") || word.isWord("score") || word.isWord("class") else {
        throw tokens.unexpected(
          "“iou:” or “score:” and a number, or “class:” and a name",
          words: ["iou", "score", "class"])
      }
      _ = tokens.take()
      if word.text == "class" {
        try tokens.expect(.colon, "and a name, as in class: person")
        guard cut.category == nil else {
          throw tokens.error(at: word.offset, "“class” can be given once")
        }
        cut.category = try tokens.expectName("a class")
        continue
      }
      try tokens.expect(.colon, "and a number, as in \(word.text): 0.5")
      let place = word.text == "iou" ? \ViewExpression.MatchThresholds.iou : \.score
      guard cut[keyPath: place] == nil else {
        throw tokens.error(at: word.offset, "“\(word.text)” can be given once")
      }
      cut[keyPath: place] = try tokens.expectNumber()
    }
    try tokens.expect(
      .rightParenthesis, "or “, iou: …” after a run (a name with blanks is quoted)")
    guard tokens.next.kind == .symbol(.dot), tokens.afterNext.isWord("objects") else {
      return .run(run, evaluation: evaluation, cut, try field(&tokens))
    }
    _ = tokens.take()
    let word = tokens.take()
    guard evaluation == nil, cut == ViewExpression.MatchThresholds() else {
      throw tokens.error(
        at: word.offset,
        ".objects(…) has its own condition and no evaluation: write run(NAME).objects(class = … and confidence >= …)"
      )
    }
    return .objects(run: run, try ObjectParser.parse(&tokens))
  }

  private static func field(
    _ tokens: inout TokenReader
  ) throws(ExpressionError) -> ViewExpression.RunField {
    let names = ViewExpression.RunField.allCases.map(\.rawValue)
    let list = (names.map { ".\($0)" } + [".objects(…)"]).joined(separator: ", ")
    guard tokens.take(.dot) else { throw tokens.unexpected(list) }
    guard tokens.next.kind == .word,
      let field = ViewExpression.RunField(spelling: tokens.next.text)
    else { throw tokens.unexpected(list, words: names + ["objects"]) }
    _ = tokens.take()
    return field
  }
}

extension ViewExpression.Word {
  /// The text before the first occurrence of a character, and the text after it; `nil` if it does
  /// not occur.
  fileprivate func parts(at sign: Character) -> (Self, Self?) {
    guard let place = text.firstIndex(of: sign) else { return (self, nil) }
    let head = text[..<place]
    let tail = text[text.index(after: place)...]
    return (
      Self(text: String(head), offset: offset),
      Self(text: String(tail), offset: offset + head.count + 1)
    )
  }
}
