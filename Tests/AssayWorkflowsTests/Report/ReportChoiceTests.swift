import AssayMetrics
import Testing

@testable import AssayWorkflows

@Suite struct ReportChoiceTests {
  @Test("Each cell shows its most confident samples first, equal ones in the run's order")
  func order() throws {
    var tally = try ClassificationTally(classCount: 2)
    try tally.add(
      truths: [0, 0, 0, 1], scores: [0.75, 0.25, 0.875, 0.125, 0.75, 0.25, 0.5, 0.5] as [Float])
    let choice = ReportChoice(tally)
    #expect(choice.cells.map(\.samples) == [[1, 0, 2], [3]])
    // The tie of the last sample goes to class 0: wrong.
    #expect(choice.mistakes == [3])
    #expect(choice.first == [0, 1, 2, 3])
  }

  @Test(
    "No cell shows more than 24, all cells together no more than 1,500, the worst confusions first")
  func limits() throws {
    // 100 classes, each predicted as every class 20 times: 10,000 cells of 20.
    let classes = 100
    var tally = try ClassificationTally(classCount: classes)
    for predicted in 0..<classes {
      var row = Array(repeating: Float(0), count: classes)
      row[predicted] = 1
      for truth in 0..<classes where truth < 2 || predicted < 2 {
        try tally.add(
          truths: Array(repeating: truth, count: 30),
          scores: Array(repeating: row, count: 30).flatMap(\.self))
      }
    }
    let choice = ReportChoice(tally)
    let counts = choice.cells.map(\.samples.count)
    #expect(counts.reduce(0, +) == 1_500)
    // 396 cells: six for each of the three worst, three for the others and a fourth for the first of them.
    #expect(Set(counts) == [3, 4, 6])
    #expect(counts.count { $0 == 6 } == 3)
    #expect(choice.mistakes.count == 24)
  }

  @Test("No samples, nothing chosen")
  func empty() throws {
    let choice = ReportChoice(try ClassificationTally(classCount: 3))
    #expect(choice.all.isEmpty)
    #expect(choice.cells.isEmpty)
  }
}
