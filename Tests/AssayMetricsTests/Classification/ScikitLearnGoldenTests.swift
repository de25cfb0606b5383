import AssayCore
import Testing

@testable import AssayMetrics

@Suite("Classification scores equal scikit-learn's")
struct ScikitLearnGoldenTests {
  struct Golden: Decodable, CustomTestStringConvertible {
    var name: String
    var classes: Int
    var accept: Double
    var margin: Double
    var truth: [Int]
    var float32: Bool
    var normalize: Bool
    var scores: [[Double]]
    var expected: [String: Expected]

    var testDescription: String { name }

    func scored() throws -> ClassificationScores {
      var tally = try ClassificationTally(classCount: classes, normalizes: normalize)
      let flat = scores.flatMap(\.self)
      if float32 {
        try tally.add(truths: truth, scores: flat.map { Float($0) })
      } else {
        try tally.add(truths: truth, scores: flat)
      }
      return try ClassificationScores(
        tally,
        ScoringSettings(
          abstention: AbstentionRule(accept: accept, margin: margin), intervals: nil, workers: 2))
    }
  }

  enum Expected: Decodable {
    case number(Double?)
    case list([Double?])
    case table([[Double?]])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let list = try? value.decode([Double?].self) {
        self = .list(list)
      } else if let table = try? value.decode([[Double?]].self) {
        self = .table(table)
      } else {
        self = .number(try value.decode(Double?.self))
      }
    }
  }

  struct File: Decodable {
    var sets: [Golden]
  }

  static let sets = Result { try Goldens.load("classification", as: File.self).sets }

  @Test("Every key of every set", arguments: try sets.get())
  func everyKey(_ golden: Golden) throws {
    let scores = try golden.scored()
    // Those with an input of their own have goldens of their own: decision.json and votes.json.
    let others: [MetricKind] = [.support, .coverage, .selectiveRisk] + VoteScores.kinds
    for kind in MetricKind.kinds(of: .classification) where !others.contains(kind) {
      switch golden.expected[kind.rawValue] {
      case .number(let expected):
        // scikit-learn's log loss needs two classes; ours is 0 for one class.
        #expect(
          Goldens.agree(scores[kind].value, expected),
          "\(kind.rawValue): \(scores[kind].value as Any), expected \(expected as Any)")
      case .list(let expected):
        let values = scores.perClass(kind).map(\.value)
        #expect(values.count == expected.count)
        for (category, pair) in zip(values, expected).enumerated() {
          #expect(
            Goldens.agree(pair.0, pair.1),
            "\(kind.rawValue)[\(category)]: \(pair.0 as Any), expected \(pair.1 as Any)")
        }
      case .table, nil:
        Issue.record("no golden for \(kind.rawValue)")
      }
    }
  }

  struct Ties: Decodable {
    struct Set: Decodable {
      var classes: Int
      /// The divisor that turns integers into scores; 0 if the scores are float32.
      var divisor: Int
      var truth: [Int]
      var scores: [Double]
      var expected: [String: Expected]
    }
    var sets: [Set]
  }

  @Test("320 random sets with many equal scores, used as given")
  func ties() throws {
    let sets = try Goldens.load("ties", as: Ties.self).sets
    #expect(sets.count == 320)
    for (number, set) in sets.enumerated() {
      var tally = try ClassificationTally(classCount: set.classes)
      if set.divisor == 0 {
        try tally.add(truths: set.truth, scores: set.scores.map { Float($0) })
      } else {
        try tally.add(truths: set.truth, scores: set.scores.map { $0 / Double(set.divisor) })
      }
      let scores = try ClassificationScores(tally, ScoringSettings(intervals: nil))
      for (key, expected) in set.expected {
        let kind = try #require(MetricKind(rawValue: key))
        switch expected {
        case .number(let value):
          #expect(Goldens.agree(scores[kind].value, value), "set \(number), \(key)")
        case .list(let values):
          let own = scores.perClass(kind).map(\.value)
          #expect(own.count == values.count)
          #expect(
            zip(own, values).allSatisfy { Goldens.agree($0, $1) }, "set \(number), \(key)")
        case .table: Issue.record("\(key) is no table")
        }
      }
    }
  }

  @Test("Confusion, support and the bins of the reliability chart", arguments: try sets.get())
  func counts(_ golden: Golden) throws {
    let scores = try golden.scored()
    guard case .table(let confusion) = golden.expected["confusion"],
      case .list(let support) = golden.expected["support"],
      case .table(let bins) = golden.expected["bins"]
    else {
      Issue.record("golden incomplete")
      return
    }
    #expect(scores.confusion.rows.map { $0.map(Double.init) } == confusion)
    #expect(scores.perClass(.support).map(\.value) == support)
    #expect(scores.calibration.bins.count == bins.count)
    for (bin, expected) in zip(scores.calibration.bins, bins) {
      #expect(Double(bin.count) == expected[0])
      #expect(Goldens.agree(bin.accuracy, expected[1]))
      #expect(Goldens.agree(bin.meanConfidence, expected[2]))
    }
  }
}
