import Testing

@testable import AssayMetrics

@Suite struct RowSumTests {
  private func sum(_ row: [Double]) -> Double { row.withUnsafeBufferPointer { RowSum.of($0) } }

  @Test("Below eight values numpy adds from left to right")
  func short() {
    let row = [1, 0x1p-53, 0x1p-53, 0x1p-53]
    // Each addend alone is lost against 1 (half to even).
    #expect(sum(row) == 1)
  }

  @Test("From eight values on numpy adds in eight lanes, then the lanes in pairs, then the rest")
  func lanes() {
    var row = [Double](repeating: 0x1p-53, count: 9)
    row[0] = 1
    // (1 + e) = 1, + (e + e) = 1 + 2e, + ((e + e) + (e + e)) = 1 + 6e; the ninth e rounds to even.
    #expect(sum(row) == ((1 + 0x1p-52) + 0x1p-51) + 0x1p-53)
    #expect(sum(row) != row.reduce(0, +))
  }

  @Test("Rows of more than 128 values are halved at a multiple of eight")
  func halved() {
    let row = (0..<300).map { 1 / Double($0 + 3) }
    // 300 → 144 + 156; 144 → 72 + 72; 156 → 72 + 84.
    let parts = [0..<72, 72..<144, 144..<216, 216..<300].map { sum(Array(row[$0])) }
    #expect(sum(row) == (parts[0] + parts[1]) + (parts[2] + parts[3]))
  }
}
