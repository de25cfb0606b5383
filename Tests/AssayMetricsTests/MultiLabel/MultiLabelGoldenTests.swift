import AssayCore
import Testing

import AssayMetrics

/// Random sets against scikit-learn (`Tests/Fixtures/metrics/make_multilabel_goldens.py`).
@Suite struct MultiLabelGoldenTests {
  /// The metrics of a decision have tests of their own.
  static let kinds = MetricKind.kinds(of: .multiLabel).filter {
    ![.coverage, .selectiveRisk].contains($0)
  }

  struct File: Decodable {
    var tools: String
    var sets: [Set]
  }

  struct Set: Decodable {
    var name: String
    var classes: Int
    var threshold: Double
    var double: Bool
    var truth: [[Int]]
    var scores: [Double]
    var expected: Expected

    func tally() throws -> MultiLabelTally {
      var tally = try MultiLabelTally(
        classCount: classes, precision: double ? .double : .single)
      try tally.add(labelSets: truth, scores: scores)
      return tally
    }
  }

  struct Expected: Decodable {
    var counts: [[Int]]
    var unranked: Int
    var sampleF1Defined: Int
    var numbers: [String: Double?] = [:]
    var classNumbers: [String: [Double?]] = [:]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      counts = try container.decode([[Int]].self, forKey: Key(stringValue: "counts"))
      unranked = try container.decode(Int.self, forKey: Key(stringValue: "unranked"))
      sampleF1Defined = try container.decode(
        Int.self, forKey: Key(stringValue: "sample_f1_defined"))
      for kind in MultiLabelGoldenTests.kinds {
        let key = Key(stringValue: kind.rawValue)
        if kind.isPerCategory {
          classNumbers[kind.rawValue] = try container.decode([Double?].self, forKey: key)
        } else {
          numbers[kind.rawValue] = .some(try container.decode(Double?.self, forKey: key))
        }
      }
    }
  }

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test("250 random sets have the numbers of scikit-learn, all within 1e-12")
  func sets() throws {
    let file = try Goldens.load("multilabel", as: File.self)
    #expect(file.tools == "scikit-learn 1.9.1, numpy 2.4.6")
    #expect(file.sets.count == 250)
    for set in file.sets {
      let tally = try set.tally()
      let scores = try MultiLabelScores(
        tally, LabelThresholds(set.threshold, classCount: set.classes),
        ScoringSettings(intervals: nil, workers: 2))
      for kind in Self.kinds {
        if kind.isPerCategory {
          let golden = try #require(set.expected.classNumbers[kind.rawValue])
          let values = scores.perClass(kind).map(\.value)
          #expect(
            values.count == golden.count
              && zip(values, golden).allSatisfy { Goldens.agree($0, $1) },
            "\(set.name): \(kind.rawValue) is \(values), expected \(golden)")
        } else {
          let golden = try #require(set.expected.numbers[kind.rawValue])
          #expect(
            Goldens.agree(scores[kind].value, golden),
            "\(set.name): \(kind.rawValue) is \(scores[kind]), expected \(golden as Any)")
        }
      }
      for (category, golden) in set.expected.counts.enumerated() {
        let counts = scores.counts(of: category)
        #expect(
          [
            counts.truePositives, counts.falsePositives, counts.falseNegatives,
            counts.trueNegatives,
          ] == golden, "\(set.name)")
      }
      #expect(scores.unranked == set.expected.unranked, "\(set.name)")
      #expect(scores[.sampleF1].defined == set.expected.sampleF1Defined, "\(set.name)")
    }
  }

  @Test("A best threshold, given as the threshold, reaches the best F1")
  func bestThresholds() throws {
    for set in try Goldens.load("multilabel", as: File.self).sets.prefix(60) {
      let tally = try set.tally()
      let scores = try RandomLabels.plain(tally)
      let best = scores.perClass(.bestThreshold).map { $0.value ?? 1 }
      let again = try MultiLabelScores(
        tally, LabelThresholds(perClass: best), ScoringSettings(intervals: nil))
      for (category, score) in scores.perClass(.bestF1).enumerated() {
        guard let value = score.value else { continue }
        #expect(again.perClass(.f1)[category].value == value, "\(set.name)")
      }
    }
  }
}
