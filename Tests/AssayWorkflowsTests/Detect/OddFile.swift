import AssayCore
import AssayMetrics
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

/// Odd files of COCO's truth and results, and what pycocotools 2.0.11 makes of them
/// (`Tests/Fixtures/coco-odd/make.py`).
struct OddFile: Decodable, Sendable, CustomTestStringConvertible {
  /// COCO's twelve numbers by name, or the error it stops with.
  struct Outcome: Decodable {
    var stats: [String: Double?]?
    /// The AP of each class whose name no other has.
    var classAP: [String: Double?]?
    var error: String?

    private enum CodingKeys: String, CodingKey {
      case stats, error
      case classAP = "per_category_ap"
    }

    /// In their order.
    var numbers: [Double?]? {
      stats.map { stats in DetectionScores.stats.map { stats[$0.rawValue] ?? nil } }
    }
  }

  private struct List: Decodable { var cases: [OddFile] }

  var name: String
  var type: String
  var gt: String
  var dt: String
  /// What pycocotools makes of the files.
  var reference: Outcome
  /// What it makes of them once put right by assay's rule; `nil` where that is the same, or refused.
  var fixed: Outcome?

  var testDescription: String { name }

  /// Files with a rule for each oddity, one oddity a file.
  static let all = read("cases.json")
  /// Files with one to three odd values at random (`Tests/Fixtures/coco-odd/fuzz.py`).
  static let random = read("fuzz.json")

  private static func read(_ name: String) -> [OddFile] {
    (try? GoldenJSON.decode("coco-odd/\(name)", as: List.self))?.cases ?? []
  }

  /// Judges the files in a folder of their own.
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
  var numbers: [Double?] { DetectionScores.stats.map { scores[$0].value } }
}

extension FileDetectionReference {
  var numbers: [Double?]? { scores.map { own in DetectionScores.stats.map { own[$0].value } } }
}
