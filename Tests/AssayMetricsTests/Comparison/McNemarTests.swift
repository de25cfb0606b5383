import Testing

import AssayMetrics

@Suite struct McNemarTests {
  @Test("Below 25 discordant samples the test is exact, from there on χ²")
  func boundary() {
    #expect(McNemar(onlyFirst: 12, onlySecond: 12).statistic == nil)
    #expect(McNemar(onlyFirst: 12, onlySecond: 12).pValue == 1)
    let test = McNemar(onlyFirst: 20, onlySecond: 5)
    // (15 − 1)² / 25.
    #expect(test.statistic == 196.0 / 25)
    #expect(!test.isExact)
  }

  @Test("One sample lost and none won proves nothing")
  func small() {
    #expect(McNemar(onlyFirst: 1, onlySecond: 0).pValue == 1)
    // 2 · (1/2)⁵.
    #expect(McNemar(onlyFirst: 5, onlySecond: 0).pValue == 2.0 / 32)
    #expect(McNemar(onlyFirst: 0, onlySecond: 0).pValue == 1)
  }

  @Test("Equal numbers are no evidence, however many")
  func equal() {
    #expect(McNemar(onlyFirst: 40, onlySecond: 40).pValue == 1)
  }
}
