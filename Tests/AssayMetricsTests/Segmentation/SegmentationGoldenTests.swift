import AssayCore
import Testing

import AssayMetrics

@Suite("Segmentation scores equal scikit-learn's, pycocotools', MedPy's and scipy's")
struct SegmentationGoldenTests {
  struct Sample: Decodable {
    var width: Int
    var height: Int
    var truth: String
    var predicted: String

    func raster(_ letters: String) throws -> Raster<UInt8> {
      let values = letters.utf8.map { $0 == UInt8(ascii: "-") ? 255 : $0 - UInt8(ascii: "A") }
      return try #require(Raster(width: width, height: height, elements: values))
    }
  }

  struct Expected: Decodable {
    var scores: [String: Value]
    var samples: [[String: Double?]]
    var confusion: [[Int]]
    var void: Int
    var boundary: [[Int]]
  }

  enum Value: Decodable {
    case number(Double?)
    case list([Double?])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let list = try? value.decode([Double?].self) {
        self = .list(list)
      } else {
        self = .number(try value.decode(Double?.self))
      }
    }
  }

  struct Case: Decodable, CustomTestStringConvertible {
    var name: String
    var labels: Int
    var background: Bool
    var empty: EmptyRule
    var samples: [Sample]
    var expected: Expected

    var testDescription: String { name }

    func tally() throws -> SegmentationTally {
      let labels = try SegmentationLabels(
        names: (0..<labels).map { "\($0)" }, hasBackground: background)
      var tally = SegmentationTally(labels: labels)
      for sample in samples {
        try tally.add(
          SegmentedSample(
            truth: sample.raster(sample.truth), predicted: sample.raster(sample.predicted),
            labels: labels, void: 255))
      }
      return tally
    }
  }

  struct File: Decodable {
    var cases: [Case]
  }

  static let cases = Result { try Goldens.load("segmentation", as: File.self).cases }

  @Test("Every score of every case", arguments: try cases.get())
  func everyScore(_ golden: Case) throws {
    let scores = try SegmentationScores(
      golden.tally(), empty: golden.empty, ScoringSettings(intervals: nil))
    #expect(scores.confusion.rows == golden.expected.confusion)
    #expect(scores.void == golden.expected.void)
    let evaluated = scores.labels.evaluated
    for (key, expected) in golden.expected.scores {
      let kind = try #require(MetricKind(rawValue: key))
      switch expected {
      case .number(let value):
        #expect(Goldens.agree(scores[kind].value, value), "\(key)")
      case .list(let values):
        let own = scores.perClass(kind)[evaluated].map(\.value)
        #expect(own.count == values.count)
        for (own, value) in zip(own, values) { #expect(Goldens.agree(own, value), "\(key)") }
      }
    }
    // All claimed scores are checked.
    let checked = Set(golden.expected.scores.keys)
    let given = SegmentationScores.kinds(for: scores.labels) + SegmentationScores.classKinds
    #expect(Set(given.map(\.rawValue)) == checked)
  }

  @Test("Every sample of every case", arguments: try cases.get())
  func everySample(_ golden: Case) throws {
    let tally = try golden.tally()
    let scores = try SegmentationScores(
      tally, empty: golden.empty, ScoringSettings(intervals: nil))
    for (index, expected) in golden.expected.samples.enumerated() {
      let own = scores.samples[index]
      let pairs: [(String, Double?)] = [
        ("iou", own.iou), ("dice", own.dice), ("precision", own.precision),
        ("recall", own.recall), ("boundary_iou", own.boundaryIoU),
        ("pixel_accuracy", own.pixelAccuracy), ("hausdorff95", own.measures[.hausdorff95]),
      ]
      for (key, value) in pairs {
        #expect(Goldens.agree(value, expected[key] ?? nil), "\(key) of sample \(index)")
      }
      #expect(tally[index].boundary == golden.expected.boundary[index])
    }
  }

  @Test("Masks as runs give what label maps give", arguments: try cases.get())
  func masks(_ golden: Case) throws {
    guard golden.labels == 2, golden.background else { return }
    for sample in golden.samples {
      let (truth, predicted) = (
        try sample.raster(sample.truth), try sample.raster(sample.predicted)
      )
      let labels = SegmentationLabels(foreground: "1")
      let maps = try SegmentedSample(
        truth: truth, predicted: predicted, labels: labels, void: 255)
      let runs = try SegmentedSample(
        truth: Self.mask(truth, 1), predicted: Self.mask(predicted, 1), void: Self.mask(truth, 255))
      #expect(runs == maps)
    }
  }

  /// The pixels of one value, as runs down the columns.
  static func mask(_ raster: Raster<UInt8>, _ value: UInt8) throws -> Mask {
    var runs: [UInt32] = [0]
    for x in 0..<raster.width {
      for y in 0..<raster.height {
        let isSet = raster[x, y] == value
        if isSet != (runs.count % 2 == 0) { runs.append(0) }
        runs[runs.count - 1] += 1
      }
    }
    return try Mask(
      size: ImageSize(width: raster.width, height: raster.height), runs: runs)
  }
}
