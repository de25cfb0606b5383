import AssayCore
import Testing

@Suite("The time of results")
struct RecordTimeTests {
  @Test(
    "SOURCE_DATE_EPOCH gives it in seconds since 1970",
    arguments: [
      ("0", "1970-01-01T00:00:00Z"), ("1767225600", "2026-01-01T00:00:00Z"),
      ("253402300799", "9999-12-31T23:59:59Z"),
    ])
  func given(text: String, time: String) {
    #expect(RecordTime.now([RecordTime.variable: text]) == time)
  }

  @Test(
    "What is no such time is the present",
    arguments: [nil, "", "x", "-1", "1.5", "253402300800", "99999999999999999999"])
  func present(text: String?) {
    let now = RecordTime.now(text.map { [RecordTime.variable: $0] } ?? [:])
    #expect(now.count == 20 && now.hasSuffix("Z") && now > "2026-11" && now < "2100")
  }
}
