import AssayMetrics
import Testing

@testable import AssayCommands

@Suite struct EvaluateTextTests {
  @Test("Scores have three decimals, undefined ones are “–”")
  func fixed() {
    #expect(Fixed.text(0.58549) == "0.585")
    #expect(Fixed.text(nil as Double?) == "–")
    #expect(Fixed.signed(-0.0042) == "−0.004")
    #expect(Fixed.signed(0.016) == "+0.016")
    #expect(Fixed.probability(0.0004) == "<0.001")
    #expect(Fixed.pValue(0.0004) == "p < 0.001")
    #expect(Fixed.pValue(0.0124) == "p = 0.012")
    #expect(
      Fixed.text(Score(0.5, interval: Interval(low: 0.4, high: 0.6, method: .wilson)))
        == "0.500 [0.400, 0.600]")
    #expect(Fixed.text(Score(0.5)) == "0.500")
  }

  @Test("A paragraph breaks at blanks; a long word stays whole")
  func paragraph() {
    let narrow = Terminal(width: 40)
    #expect(
      Paragraph.text("note: " + String(repeating: "word ", count: 10), in: narrow)
        == "note: word word word word word word word\n  word word word")
    let long = String(repeating: "x", count: 50)
    #expect(Paragraph.text("see \(long)", in: narrow) == "see\n  \(long)")
    #expect(Paragraph.text("a\u{1B}b", in: narrow) == "a\\u{1b}b")
  }
}
