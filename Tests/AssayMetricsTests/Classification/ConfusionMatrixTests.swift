import Testing

import AssayMetrics

@Suite struct ConfusionMatrixTests {
  @Test("Rows are the truth, columns the prediction")
  func orientation() {
    var matrix = ConfusionMatrix(classCount: 2)
    matrix.add(truth: 0, predicted: 1)
    matrix.add(truth: 0, predicted: 1)
    matrix.add(truth: 1, predicted: 1)
    #expect(matrix.rows == [[0, 2], [0, 1]])
    #expect(matrix.total == 3)
    #expect(matrix.totals.truth == [2, 1])
    #expect(matrix.totals.predicted == [0, 3])
    #expect(matrix.totals.hits == [0, 1])
  }

  @Test("Matrices of different sizes do not merge")
  func mismatch() {
    var matrix = ConfusionMatrix(classCount: 2)
    #expect(throws: MetricError.classMismatch(2, 3)) {
      try matrix.merge(ConfusionMatrix(classCount: 3))
    }
  }

  @Test("Counts that are no square are refused")
  func noSquare() {
    #expect(throws: MetricError.scoreCount(expected: 4, found: 3)) {
      try ConfusionMatrix(classCount: 2, counts: [1, 2, 3])
    }
  }
}
