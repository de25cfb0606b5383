import Testing

import AssayMetrics

@Suite struct StudentIntervalTests {
  @Test("One value, or values without spread, have no interval")
  func none() {
    #expect(StudentInterval.of([]) == nil)
    #expect(StudentInterval.of([0.5]) == nil)
    #expect(StudentInterval.of([0.5, 0.5, 0.5]) == nil)
  }
}
