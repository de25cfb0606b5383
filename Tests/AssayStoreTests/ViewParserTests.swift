import AssayCore
import Testing

@testable import AssayStore

@Suite("Parsing the view language")
struct ViewParserTests {
  private static let fields = """
    .correct, .label, .confidence, .margin, .accepted, .iou, .dice, .precision, .recall, .pixel_accuracy, \
    .boundary_iou, .hausdorff95, .uncertainty, .center_offset, .true_positives, .false_positives, \
    .false_negatives, .detections, .classification_errors, .localization_errors, .both_errors, .duplicates, \
    .background_errors, .missed, .missed_labels, .added_labels, .wrong_labels, .ranking_loss, .objects(…)
    """

  private typealias E = ViewExpression

  private static func comparison(
    _ subject: E.Subject, at offset: Int, _ test: E.Test
  ) -> ViewExpression {
    .comparison(E.Comparison(subject: subject, offset: offset, test: test))
  }

  private static func text(_ text: String, at offset: Int) -> E.Literal {
    E.Literal(text: text, number: nil, offset: offset)
  }

  private static func number(_ text: String, _ number: Double, at offset: Int) -> E.Literal {
    E.Literal(text: text, number: number, offset: offset)
  }

  @Test("`and` binds more tightly than `or`, `not` more tightly than both")
  func precedence() throws {
    let a = Self.comparison(.width, at: 4, .compare(.equal, Self.number("1", 1, at: 12)))
    let b = Self.comparison(.width, at: 18, .compare(.less, Self.number("2", 2, at: 26)))
    let c = Self.comparison(.width, at: 31, .compare(.greaterOrEqual, Self.number("3", 3, at: 40)))
    #expect(
      try ViewExpression.parse("not width = 1 and width < 2 or width >= 3")
        == .any([.all([.not(a), b]), c]))
    let d = Self.comparison(.key, at: 1, .compare(.equal, Self.text("a", at: 7)))
    let e = Self.comparison(.key, at: 12, .compare(.notEqual, Self.text("b", at: 19)))
    #expect(try ViewExpression.parse("(key = a or key != b)") == .any([d, e]))
  }

  @Test("Lists, ranges, quoted names and numbers that are names")
  func literals() throws {
    #expect(
      try ViewExpression.parse("label in (happy, \"a b\", 7, 'it\\'s')")
        == Self.comparison(
          .label, at: 0,
          .among([
            Self.text("happy", at: 10), Self.text("a b", at: 17), Self.text("7", at: 24),
            Self.text("it's", at: 27),
          ])))
    #expect(
      try ViewExpression.parse("count(dog) in 1..2")
        == Self.comparison(
          .count(E.Word(text: "dog", offset: 6), isCrowd: false), at: 0,
          .within(Self.number("1", 1, at: 14), Self.number("2", 2, at: 17))))
    #expect(
      try ViewExpression.parse("run(r-1.x).confidence in -0.5..1e-2")
        == Self.comparison(
          .run(E.Word(text: "r-1.x", offset: 4), evaluation: nil, .init(), .confidence), at: 0,
          .within(Self.number("-0.5", -0.5, at: 25), Self.number("1e-2", 0.01, at: 31))))
    #expect(
      try ViewExpression.parse("split not in (2017val, über)")
        == .not(
          Self.comparison(
            .split, at: 0,
            .among([Self.text("2017val", at: 14), Self.text("über", at: 23)]))))
  }

  @Test("What counts and covers, and what a run says, is read with its names")
  func numbers() throws {
    #expect(
      try ViewExpression.parse("count(\"traffic light\", crowd) = 0")
        == Self.comparison(
          .count(E.Word(text: "traffic light", offset: 6), isCrowd: true), at: 0,
          .compare(.equal, Self.number("0", 0, at: 32))))
    #expect(
      try ViewExpression.parse("coverage(dog) > 0.2")
        == Self.comparison(
          .coverage(E.Word(text: "dog", offset: 9)), at: 0,
          .compare(.greater, Self.number("0.2", 0.2, at: 16))))
    #expect(
      try ViewExpression.parse("run(r-1@x.2).centre_offset > 3")
        == Self.comparison(
          .run(
            E.Word(text: "r-1", offset: 4), evaluation: E.Word(text: "x.2", offset: 8),
            .init(), .centerOffset), at: 0, .compare(.greater, Self.number("3", 3, at: 29))))
  }

  @Test("Matches of detections can be counted at an IoU and from a score on")
  func cuts() throws {
    #expect(
      try ViewExpression.parse("run(r@a, score: 0.5, iou: 0.75).missed = 0")
        == Self.comparison(
          .run(
            E.Word(text: "r", offset: 4), evaluation: E.Word(text: "a", offset: 6),
            .init(iou: Self.number("0.75", 0.75, at: 26), score: Self.number("0.5", 0.5, at: 16)),
            .missed), at: 0, .compare(.equal, Self.number("0", 0, at: 41))))
  }

  @Test(
    "What is compared is spelled as it is read",
    arguments: [
      "count(person)", "count(\"traffic light\", crowd)", "coverage(\"a\\\"b\")",
      "run(r-1@x.2).iou", "run(r1, iou: 0.75).missed", "run(r1@b, iou: 0.5, score: -1e3).recall",
      "run(\"a b\", score: 0.5).false_positives",
      "run(r1).confidence", "width", "coverage(\"1\")", "coverage(and)",
    ])
  func spelling(source: String) throws {
    let subject = try ViewExpression.parse(field: source)
    #expect(subject.description == source)
    let twice = try ViewExpression.parse("\(source) > 1 or not (\(source) < 0 and width = 1)")
    #expect(twice.subjects.map(\.description).first == source)
    #expect(Set(twice.subjects.map(\.description)) == [source, "width"])
  }

  @Test(
    "A field alone has to be a number",
    arguments: ["label", "split", "run(r).correct", "coverage(a) > 1", "", "run(r)"])
  func noField(source: String) {
    #expect(throws: ExpressionError.self) { try ViewExpression.parse(field: source) }
  }

  @Test(
    "An error has its place, what was expected and a suggestion",
    arguments: [
      ("", 0, "expected a comparison such as “split = validation”, found the end", nil),
      ("label", 5, "expected one of = != < <= > >= in like, found the end", nil),
      ("labl = happy", 0, "unknown field “labl”", "label"),
      ("label = ", 8, "expected a name (one with blanks is quoted), found the end", nil),
      ("label == happy", 6, "unexpected “==”", "="),
      ("label <> happy", 6, "unexpected “<>”", "!="),
      ("label = a && label = b", 10, "unexpected “&&”", "and"),
      ("label = a AND label = b", 10, "expected “and”, “or” or the end, found “AND”", "and"),
      ("label = traffic light", 16, "expected “and”, “or” or the end, found “light”", nil),
      ("label < happy", 6, "“<” compares numbers", nil),
      ("width = wide", 8, "expected a number, found “wide”", nil),
      ("width in (1, x)", 13, "expected a number, found “x”", nil),
      ("width in 1, 2", 10, "expected “..” and the upper end, as in 1..2, found “,”", nil),
      ("label in a..b", 9, "expected a list such as “(a, b)”, found “a”", nil),
      ("label in (a b)", 12, "expected “)” or “,”, found “b”", nil),
      ("(label = a", 10, "expected “and”, “or” or “)”, found the end", nil),
      ("label = a)", 9, "expected “and”, “or” or the end, found “)”", nil),
      ("label = \"a", 8, "missing closing quote", nil),
      ("key = a/b", 7, "a name with “/” is quoted", nil),
      ("! label = a", 0, "unexpected “!”", "not"),
      ("count = 1", 6, "expected “(” and a class, as in count(NAME), found “=”", nil),
      (
        "count(a b) = 1", 8,
        "expected “)” or “, crowd” after a class (a name with blanks is quoted), found “b”", nil
      ),
      ("count(a, b) = 1", 9, "expected “crowd”, as in count(NAME, crowd), found “b”", nil),
      (
        "count(a, crow) = 1", 9, "expected “crowd”, as in count(NAME, crowd), found “crow”", "crowd"
      ),
      ("count(a, crowd = 1", 15, "expected “)” after “crowd”, found “=”", nil),
      ("coverage() > 0", 9, "expected a class, found “)”", nil),
      ("coverage(a) = big", 14, "expected a number, found “big”", nil),
      ("run(r) = 1", 7, "expected \(fields), found “=”", nil),
      ("run(r).confidense < 1", 7, "expected \(fields), found “confidense”", "confidence"),
      ("run(r).centr_offset < 1", 7, "expected \(fields), found “centr_offset”", "center_offset"),
      (
        "run(r 0.5).iou < 1", 6,
        "expected “)” or “, iou: …” after a run (a name with blanks is quoted), found “0.5”", nil
      ),
      (
        "run(r, iuo: 1).iou < 1", 7,
        "expected “iou:” or “score:” and a number, or “class:” and a name, found “iuo”", "iou"
      ),
      ("run(r, iou 1).iou < 1", 11, "expected “:” and a number, as in iou: 0.5, found “1”", nil),
      ("run(r, score: x).iou < 1", 14, "expected a number, found “x”", nil),
      ("run(r, iou: 1, iou: 2).iou < 1", 15, "“iou” can be given once", nil),
      (
        "run(r, iou: 1", 13,
        "expected “)” or “, iou: …” after a run (a name with blanks is quoted), found the end", nil
      ),
      ("run(r@).iou < 1", 5, "unexpected “@”", nil),
      ("run(r).correct = yes", 17, "expected “true” or “false”, found “yes”", nil),
      ("run(r).correct = fals", 17, "expected “true” or “false”, found “fals”", "false"),
      (
        "issue != truncated", 6,
        "a sample can have several of these; use “not … = …” instead of “!=”", nil
      ),
      (
        "tag != hard", 4,
        "a sample can have several of these; use “not … = …” instead of “!=”", nil
      ),
      ("key like night*", 14, "a pattern with “*” is quoted, as in key like \"*night*\"", nil),
      ("key like", 8, "expected a pattern in quotes, such as \"*night*\", found the end", nil),
      ("key like \"\"", 9, "the pattern is empty", nil),
      ("key like \"a\u{0}\"", 9, "a pattern cannot contain a NUL character", nil),
      ("width like \"1*\"", 6, "“like” matches texts; “width” is a number", nil),
      (
        "corrected like \"t*\"", 10, "“like” matches texts; “corrected” is true or false", nil
      ),
      ("key not lik \"a\"", 8, "expected “in” or “like”, found “lik”", "like"),
      ("label < run(r).label", 6, "“<” compares numbers", nil),
      ("run(r).correct > run(q).correct", 15, "“>” compares numbers", nil),
      (
        "label = run(r).confidence", 8,
        "fields of different kinds cannot be compared: “label” is text, “run(r).confidence” is a number",
        nil
      ),
      (
        "width < split", 8,
        "fields of different kinds cannot be compared: “width” is a number, “split” is text", nil
      ),
      (
        "corrected = run(r).label", 12,
        "fields of different kinds cannot be compared: “corrected” is true or false, "
          + "“run(r).label” is text", nil
      ),
      (
        "split != part(p) or label != part(", 34, "expected a partition, found the end", nil
      ),
      (
        "width < heigth", 8, "expected a number, found “heigth”", nil
      ),
      (
        "run(r).label = run(q).confidense", 22, "expected \(fields), found “confidense”",
        "confidence"
      ),
      (
        "label = a or", 12, "expected a comparison such as “split = validation”, found the end",
        nil
      ),
    ] as [(String, Int, String, String?)])
  func errors(source: String, offset: Int, message: String, suggestion: String?) {
    let error = #expect(throws: ExpressionError.self) { try ViewExpression.parse(source) }
    #expect(error?.source == source)
    #expect(error?.offset == offset)
    #expect(error?.message == message)
    #expect(error?.suggestion == suggestion)
  }

  @Test("The text of an error shows the expression with a caret under the place")
  func caret() {
    let error = #expect(throws: ExpressionError.self) {
      try ViewExpression.parse("split = train\nand labl = happy")
    }
    #expect(
      error?.description == """
        unknown field “labl”; did you mean “label”? Known: split, label, labels, key, \
        width, height, aspect, issue, part, count, coverage, objects, run, similarity, corrections, \
        corrected_by, tag, note, field, frame and 7 more
          split = train and labl = happy
                            ^
        """)
  }

  @Test("Of a long expression the text shows the stretch around the place")
  func longExpression() {
    let source = String(repeating: "key = a and ", count: 100) + "key > b"
    let error = #expect(throws: ExpressionError.self) { try ViewExpression.parse(source) }
    let lines = (error?.description ?? "").split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.count < 130 })
    #expect(lines[1].hasSuffix("key > b"))
    // The caret is under the sign, three characters before the end.
    #expect(lines[1].count - lines[2].count == 2)
  }

  @Test("Two fields, and patterns")
  func twoFields() throws {
    #expect(
      try ViewExpression.parse("width < height")
        == Self.comparison(.width, at: 0, .field(.less, .height, offset: 8)))
    let a = E.Subject.run(E.Word(text: "a", offset: 4), evaluation: nil, .init(), .correct)
    let b = E.Subject.run(E.Word(text: "b", offset: 22), evaluation: nil, .init(), .correct)
    let both = try ViewExpression.parse("run(a).correct != run(b).correct")
    #expect(both == Self.comparison(a, at: 0, .field(.notEqual, b, offset: 18)))
    #expect(both.subjects.map(\.description) == ["run(a).correct", "run(b).correct"])
    // A bare word beside a text is a name.
    #expect(
      try ViewExpression.parse("label = split")
        == Self.comparison(.label, at: 0, .compare(.equal, Self.text("split", at: 8))))
    #expect(
      try ViewExpression.parse("label = run")
        == Self.comparison(.label, at: 0, .compare(.equal, Self.text("run", at: 8))))
    #expect(
      try ViewExpression.parse("split = part(p)")
        == Self.comparison(
          .split, at: 0, .field(.equal, .part(E.Word(text: "p", offset: 13)), offset: 8)))
    #expect(
      try ViewExpression.parse("key not like '*[a]?'")
        == .not(Self.comparison(.key, at: 0, .like(Self.text("*[a]?", at: 13)))))
    let long = String(repeating: "\u{1F469}\u{200D}\u{1F469}", count: 1_000)
    let error = #expect(throws: ExpressionError.self) {
      try ViewExpression.parse("key like '\(long)'")
    }
    #expect(error?.message == "the pattern is longer than 10000 bytes")
  }

  @Test("Length and depth have limits")
  func limits() throws {
    let deep = { (count: Int) in
      String(repeating: "(", count: count) + "key = a" + String(repeating: ")", count: count)
    }
    _ = try ViewExpression.parse(deep(64))
    #expect(throws: ExpressionError.self) { try ViewExpression.parse(deep(65)) }
    #expect(throws: ExpressionError.self) {
      try ViewExpression.parse(String(repeating: "not ", count: 2000) + "key = a")
    }
    let long = "key in (" + String(repeating: "a, ", count: 3327) + "b)"
    #expect(long.count == 9_991)
    _ = try ViewExpression.parse(long)
    let error = #expect(throws: ExpressionError.self) {
      try ViewExpression.parse(long + String(repeating: " ", count: 10))
    }
    #expect(error?.offset == 10_000)
  }

  @Test("An earlier spelling of a field is read as the field, and noted")
  func earlierSpelling() throws {
    #expect(
      try ViewExpression.parse("run(r).unsureness  > 0.5")
        == ViewExpression.parse("run(r).uncertainty > 0.5"))
    let notes = ViewExpression.RunField.renamingNotes(
      for: "--where run(r).unsureness > 0.5 --sort run(r).centre_offset")
    #expect(
      notes == [
        "the field .centre_offset is now .center_offset; the next version will not read the old name",
        "the field .unsureness is now .uncertainty; the next version will not read the old name",
      ])
    #expect(
      ViewExpression.RunField.renamingNotes(
        for: "run(r).uncertainty unsureness run(r).unsureness_x faces.unsureness"
      )
      .isEmpty)
  }
}
