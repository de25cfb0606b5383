import Testing

import AssayMetrics

@Suite struct HolmCorrectionTests {
  @Test("The smallest of m is multiplied by m, the next by m − 1, never falling")
  func byHand() {
    // 0.01 · 4; 0.03 · 3 = 0.09 and 0.04 · 2 = 0.08, which must not decrease; 0.5 · 1.
    let corrected = HolmCorrection.of([0.04, 0.01, 0.5, 0.03])
    #expect(zip(corrected, [0.09, 0.04, 0.5, 0.09]).allSatisfy { Goldens.agree($0, $1) })
  }

  @Test("A class without a test is left out of the count")
  func missing() {
    #expect(HolmCorrection.of([nil, 0.01, nil, 0.5]) == [nil, 0.02, nil, 0.5])
    #expect(HolmCorrection.of([]) == [])
  }

  @Test("No corrected value passes 1")
  func capped() {
    #expect(HolmCorrection.of([0.9, 0.8]) == [1, 1])
  }
}
