import Testing

import AssayReports

@Suite struct NumberTextTests {
  @Test(
    "Thousands are set apart by commas",
    arguments: [
      (0, "0"), (999, "999"), (3_589, "3,589"), (1_234_567, "1,234,567"), (-1_000, "−1,000"),
      (Int.min, "−9,223,372,036,854,775,808"),
    ])
  func counts(value: Int, text: String) {
    #expect(NumberText.count(value) == text)
  }

  @Test(
    "Decimals are fixed and rounded half away from zero",
    arguments: [
      (0.58468, 3, "0.585"), (1, 3, "1.000"), (0.9999, 3, "1.000"), (-0.25, 1, "−0.3"),
      (-0.0001, 3, "0.000"), (0.05, 2, "0.05"), (1234.5, 1, "1,234.5"), (2.5, 0, "3"),
    ])
  func fixed(value: Double, decimals: Int, text: String) {
    #expect(NumberText.fixed(value, decimals) == text)
  }

  @Test("What is undefined is a dash, never NaN", arguments: [nil, Double.nan, .infinity])
  func undefined(value: Double?) {
    #expect(NumberText.fixed(value) == "–")
  }

  @Test(
    "Short numbers carry no zeros they do not need",
    arguments: [
      (0.25, "0.25"), (1, "1"), (0.1 + 0.2, "0.3"), (-3.5, "−3.5"), (100, "100"),
    ])
  func short(value: Double, text: String) {
    #expect(NumberText.short(value) == text)
  }
}
