import AssayCore
import AssayMetrics
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

/// Invalid COCO ground-truth and results files, and the results of pycocotools 2.0.11 for them
/// (`Tests/Fixtures/coco-odd/make.py`).
struct OddFile: Decodable, Sendable, CustomTestStringConvertible {
  /// The standard 12 COCO metrics by name, or the error of pycocotools.
  struct Outcome: Decodable {
    var stats: [String: Double?]?
    /// The AP of each class with a unique name.
    var classAP: [String: Double?]?
    var error: String?

    private enum CodingKeys: String, CodingKey {
      case stats, error
      case classAP = "per_category_ap"
    }

    /// The metrics in order.
    var numbers: [Double?]? {
      stats.map { stats in DetectionScores.stats(.box).map { stats[$0.rawValue] ?? nil } }
    }
  }

  private struct List: Decodable { var cases: [OddFile] }

  var name: String
  var type: String
  var gt: String
  var dt: String
  /// The results of pycocotools for the files.
  var reference: Outcome
  /// Its results after they are repaired by assay's rule; `nil` if they are the same, or the files
  /// are rejected.
  var fixed: Outcome?

  var testDescription: String { name }

  /// Files for the rules, each with one problem.
  static let all = read("cases.json")
  /// Files with one to three random invalid values (`Tests/Fixtures/coco-odd/fuzz.py`).
  static let random = read("fuzz.json")

  private static func read(_ name: String) -> [OddFile] {
    (try? GoldenJSON.decode("coco-odd/\(name)", as: List.self))?.cases ?? []
  }

  /// Evaluates the files in their own folder.
  func evaluate(isCompatible: Bool = false) throws -> FileDetectionResult {
    let folder = try TemporaryFolder()
    try folder.write("gt.json", gt)
    try folder.write("dt.json", dt)
    var settings = EvaluationSettings()
    settings.objects.overlap = OverlapKind(rawValue: type)
    settings.objects.isCompatible = isCompatible
    return try FileDetection(
      truth: folder.path("gt.json"), dt: folder.path("dt.json")
    ).evaluate(settings)
  }
}

extension FileDetectionResult {
  var numbers: [Double?] { DetectionScores.stats(.box).map { scores[$0].value } }
}

extension FileDetectionReference {
  var numbers: [Double?]? {
    scores.map { own in DetectionScores.stats(.box).map { own[$0].value } }
  }
}
