import AssayCore
import Testing

import AssayMetrics

@Suite struct MultiLabelTallyTests {
  @Test("A sample keeps its classes and scores")
  func samples() throws {
    var tally = try MultiLabelTally(classCount: 70)
    var row = Array(repeating: Float(0.25), count: 70)
    row[69] = 1
    try tally.add(labels: [69, 0, 64, 0], scores: row)
    try tally.add(labels: [], scores: row)
    #expect(tally.count == 2)
    #expect(tally[0] == MultiLabelSample(labels: [0, 64, 69], scores: row.map(Double.init)))
    #expect(tally[1].labels == [])
    #expect(tally.labels.size(of: 0) == 3 && tally.labels.size(of: 1) == 0)
    #expect(tally.labels.contains(69, in: 0) && !tally.labels.contains(68, in: 0))
  }

  @Test("A sample at thresholds says what is missed and added")
  func evaluated() throws {
    var tally = try MultiLabelTally(classCount: 4)
    try tally.add(labels: [0, 1], scores: [Float(0.75), 0.25, 0.5, 0])
    let evaluated = try tally.evaluated(0, LabelThresholds(classCount: 4))
    #expect(evaluated.labels == [0, 1] && evaluated.predicted == [0, 2])
    #expect(evaluated.missed == [1] && evaluated.added == [2] && evaluated.wrong == 2)
    #expect(evaluated.rankingLoss == 0.25)
    let low = try tally.evaluated(0, LabelThresholds(perClass: [1, 0.25, 0.75, 0]))
    #expect(low.predicted == [1, 3])
    try tally.add(labels: [], scores: [Float(0), 0, 0, 0])
    #expect(try tally.evaluated(1, LabelThresholds(classCount: 4)).rankingLoss == 0)
  }

  @Test("Scores outside of 0...1 are refused by sample and class, and nothing is added")
  func scores() throws {
    var tally = try MultiLabelTally(classCount: 2)
    try tally.add(labels: [0], scores: [Float(0), 1])
    for bad in [-0.25, 1.5, Double.infinity] {
      #expect(throws: MetricError.scoreOutOfRange(sample: 2, category: 1, value: bad)) {
        try tally.add(labelSets: [[], [1]], scores: [0.5, 0.5, 0.5, bad])
      }
    }
    #expect(throws: MetricError.self) {
      try tally.add(labelSets: [[]], scores: [Float.nan, 0])
    }
    #expect(tally.count == 1)
    let text = MetricError.scoreOutOfRange(sample: 2, category: 1, value: 1.5).description
    #expect(text.contains("sample 2, class 1") && text.contains("1.5") && text.contains("sigmoid"))
  }

  @Test("Classes that do not exist, and too few or too many scores, are refused")
  func refusals() throws {
    var tally = try MultiLabelTally(classCount: 2)
    #expect(throws: MetricError.ordinalOutOfRange(sample: 0, ordinal: 2, classes: 2)) {
      try tally.add(labels: [0, 2], scores: [Float(0), 0])
    }
    #expect(throws: MetricError.ordinalOutOfRange(sample: 0, ordinal: -1, classes: 2)) {
      try tally.add(labels: [-1], scores: [Float(0), 0])
    }
    #expect(throws: MetricError.scoreCount(expected: 2, found: 3)) {
      try tally.add(labels: [0], scores: [Float(0), 0, 0])
    }
    #expect(throws: MetricError.classCount(0)) { try MultiLabelTally(classCount: 0) }
    #expect(throws: MetricError.classCount(10_001)) { try MultiLabelTally(classCount: 10_001) }
    #expect(tally.count == 0)
  }

  @Test("Thresholds outside of 0...1 or for other classes are refused")
  func thresholds() throws {
    for bad in [-0.1, 1.1, .infinity] {
      #expect(throws: MetricError.threshold(bad)) { try LabelThresholds(bad, classCount: 2) }
    }
    #expect(throws: MetricError.self) { try LabelThresholds(.nan, classCount: 2) }
    let tally = try MultiLabelTally(classCount: 2)
    #expect(throws: MetricError.classMismatch(2, 3)) {
      try MultiLabelScores(tally, LabelThresholds(classCount: 3))
    }
  }

  @Test("A decimal threshold holds for the equal float32 score, and in double precision exactly")
  func precision() throws {
    var single = try MultiLabelTally(classCount: 1)
    var double = try MultiLabelTally(classCount: 1, precision: .double)
    let below = (0.7).nextDown
    for score in [0.7, below, 0.1] {
      try single.add(labelSets: [[0]], scores: [score])
      try double.add(labelSets: [[0]], scores: [score])
    }
    try single.add(labels: [0], scores: [Float(0.7)])
    let thresholds = try LabelThresholds(0.7, classCount: 1)
    #expect((0..<4).map { single.evaluated($0, thresholds).predicted.count } == [1, 1, 0, 1])
    #expect((0..<3).map { double.evaluated($0, thresholds).predicted.count } == [1, 0, 0])
    #expect(double.row(1) == [below])
    #expect(throws: MetricError.precisionMismatch) { try single.merge(double) }
  }

  @Test("Negative zero ties with zero")
  func negativeZero() throws {
    var tally = try MultiLabelTally(classCount: 1)
    try tally.add(labelSets: [[0], []], scores: [Float(-0.0), 0])
    #expect(try RandomLabels.plain(tally).perClass(.auroc)[0].value == 0.5)
    #expect(try RandomLabels.plain(tally)[.microAveragePrecision].value == 0.5)
  }

  @Test("Merged parts have the scores of the whole, and a selection those of its samples")
  func merging() throws {
    for classes in [3, 65] {
      let whole = try RandomLabels.make(count: 120, classes: classes, seed: 4, step: 1 / 16)
      var merged = whole.selecting(Array(0..<50))
      try merged.merge(whole.selecting(Array(50..<120)))
      #expect(merged == whole)
      let some = [7, 3, 99, 40]
      let part = whole.selecting(some)
      #expect(part.count == 4)
      for (place, index) in some.enumerated() { #expect(part[place] == whole[index]) }
      let settings = ScoringSettings(intervals: Bootstrap(draws: 16))
      let thresholds = try LabelThresholds(classCount: classes)
      #expect(
        try MultiLabelScores(merged, thresholds, settings)
          == MultiLabelScores(whole, thresholds, settings))
    }
    var other = try MultiLabelTally(classCount: 2)
    #expect(throws: MetricError.classMismatch(2, 3)) {
      try other.merge(try MultiLabelTally(classCount: 3))
    }
  }

  @Test("The order of samples and the number of workers change no score")
  func order() throws {
    let tally = try RandomLabels.make(count: 200, classes: 5, seed: 8, step: 1 / 32)
    let turned = tally.selecting((0..<200).reversed())
    let (a, b) = (try RandomLabels.plain(tally), try RandomLabels.plain(turned))
    for kind in MetricKind.kinds(of: .multiLabel) {
      if kind.isPerCategory {
        #expect(
          zip(a.perClass(kind), b.perClass(kind)).allSatisfy { Goldens.agree($0.value, $1.value) })
      } else {
        #expect(Goldens.agree(a[kind].value, b[kind].value), "\(kind)")
      }
    }
    let thresholds = try LabelThresholds(classCount: 5)
    let bootstrap = Bootstrap(draws: 32)
    #expect(
      try MultiLabelScores(tally, thresholds, ScoringSettings(intervals: bootstrap, workers: 1))
        == MultiLabelScores(tally, thresholds, ScoringSettings(intervals: bootstrap, workers: 3)))
  }

  @Test("Without samples everything is undefined but the support")
  func empty() throws {
    let scores = try MultiLabelScores(
      MultiLabelTally(classCount: 3), LabelThresholds(classCount: 3))
    for kind in MetricKind.kinds(of: .multiLabel) {
      if kind == .support {
        #expect(scores.perClass(kind).map(\.value) == [0, 0, 0])
      } else if kind.isPerCategory {
        #expect(scores.perClass(kind).map(\.value) == [nil, nil, nil], "\(kind)")
      } else {
        #expect(scores[kind].value == nil, "\(kind)")
      }
    }
  }

  @Test("Every number is in the range of its metric")
  func ranges() throws {
    for seed in 0..<20 {
      let scores = try RandomLabels.plain(
        RandomLabels.make(count: 1 + seed, classes: 1 + seed % 4, seed: UInt64(seed), step: 0.125))
      for kind in MetricKind.kinds(of: .multiLabel) {
        for value in (kind.isPerCategory ? scores.perClass(kind) : [scores[kind]]).compactMap(
          \.value)
        {
          #expect(kind.facts.range.contains(value), "\(kind): \(value)")
        }
      }
    }
  }
}
