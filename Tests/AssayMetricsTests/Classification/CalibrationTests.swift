import Testing

import AssayMetrics

@Suite struct CalibrationTests {
  @Test("The edges have numpy's bits")
  func edges() {
    // numpy.linspace multiplies the step and sets the last edge.
    #expect(Calibration.edges.count == 16)
    #expect(Calibration.edges[0] == 0)
    #expect(Calibration.edges[15] == 1)
    for (index, edge) in Calibration.edges.dropLast().enumerated() {
      #expect(edge == Double(index) * (1.0 / 15))
    }
  }

  @Test("A bin holds its upper edge and not its lower one")
  func closedAbove() {
    for bin in 0..<15 {
      let (low, high) = (Calibration.edges[bin], Calibration.edges[bin + 1])
      #expect(Calibration.bin(of: high) == bin)
      #expect(Calibration.bin(of: low.nextUp) == bin)
      #expect(Calibration.bin(of: high.nextDown) == bin)
    }
    #expect(Calibration.bin(of: 0) == nil)
  }

  @Test("The error weighs each bin by its share")
  func byHand() {
    // Bin 15: confidences 1, 0.95, one of two correct: |0.5 − 0.975| · 2/3.
    // Bin 8: 0.5, correct: |1 − 0.5| · 1/3.
    let calibration = Calibration(confidences: [1, 0.95, 0.5]) { $0 != 1 }
    #expect(Goldens.agree(calibration.error, 0.475 * 2 / 3 + 0.5 / 3))
    #expect(calibration.bins[14].count == 2)
    #expect(calibration.bins[7].accuracy == 1)
    #expect(calibration.bins[0].accuracy == nil)
  }

  @Test("No samples have no calibration error")
  func empty() {
    #expect(Calibration(confidences: []) { _ in true }.error == nil)
  }
}
