import AssayCore
import Testing

@testable import AssayFormats

@Suite("Numbers in exported texts")
struct ExportNumberTests {
  @Test("A far edge has the fewest decimals from which the length reads back")
  func edges() {
    #expect(0.1 + 0.2 != 0.3)
    #expect(ExportNumber.edge(from: 0.1, length: 0.2) == "0.3")
    #expect(ExportNumber.edge(from: 1, length: 2.25) == "3.25")
    #expect(ExportNumber.edge(from: 3, length: 4) == "7")
    #expect(ExportNumber.edge(from: 4.1, length: 10.3).count <= 4)
    #expect(ExportNumber.edge(from: -0.5, length: 0) == "-0.5")
  }

  @Test("A length of any digits reads back as the same number if any edge gives it")
  func exact() {
    var random = SplitMix64(seed: 7)
    var inexact = 0
    for _ in 0..<20_000 {
      // As datasets have them: a few decimals, or all digits of a double.
      func number(_ limit: Double) -> Double {
        let value = Double.random(in: 0..<limit, using: &random)
        let decimals = [0, 1, 2, 3, 16].randomElement(using: &random) ?? 0
        return decimals > 3 ? value : ExportNumber.roundedTo(decimals, value)
      }
      let (start, length) = (number(2000), number(500))
      let text = ExportNumber.edge(from: start, length: length)
      let read = (Double(text) ?? .nan) - start
      let sum = start + length
      let isPossible = [sum, sum.nextUp, sum.nextDown].contains { $0 - start == length }
      #expect(!isPossible || read == length, "\(start) + \(length): \(text)")
      #expect(abs(read - length) <= 4 * sum.ulp, "\(start) + \(length): \(text)")
      if read != length { inexact += 1 }
    }
    #expect(inexact > 0)
  }

  @Test("Sums of numbers with one decimal have one, unless only more digits give the length back")
  func noise() {
    var (sums, noisy) = (0, 0)
    for tenths in stride(from: 0, to: 6400, by: 3) {
      for length in stride(from: 1, to: 300, by: 7) {
        let (start, side) = (Double(tenths) / 10, Double(length) / 10)
        let text = ExportNumber.edge(from: start, length: side)
        sums += 1
        guard text.count > 5 else { continue }
        noisy += 1
        #expect(Double(text).map { $0 - start } == side, "\(start) + \(side): \(text)")
      }
    }
    #expect(noisy * 100 < sums, "\(noisy) of \(sums)")
  }

  @Test("A rotated box has the numbers that it was read with")
  func rotated() throws {
    for (edges, degrees) in [([0.5, 0.25, 2.5, 1.75], 33.7), ([10.1, 4.1, 24.4, 9.37], 301.25)] {
      let (x, y) = ((edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2)
      let corners = OrientedBox.corners(
        x: x, y: y, width: edges[2] - edges[0], height: edges[3] - edges[1],
        radians: degrees * Double.pi / 180)
      let object = ExportObject(
        category: 0, shape: .polygons([corners]), box: Box(x: 0, y: 0, width: 1, height: 1))
      let written = try #require(RotatedBox(object)).written
      #expect(written.edges == edges.map { "\($0)" } && written.degrees == "\(degrees)")
    }
  }
}
