import AssayCore
package import AssayFormats
package import AssayMetrics

/// The behavior of pycocotools on the same files.
package struct FileDetectionReference: Sendable {
  /// The error that stops pycocotools; `nil` if there is none.
  package var stop: ReferenceStop?
  /// The findings that pycocotools handles differently.
  package var differing: [OddityCount] = []
  /// The oddity whose handling in pycocotools is not reproduced, one clause; `nil` if there is
  /// none.
  package var unknown: String?
  /// The metrics of pycocotools if they differ, and their classes; `nil` if they are the same or
  /// there are none.
  package var scores: DetectionScores?
  package var classes: [String] = []

  /// - Parameter outcome: the result of pycocotools for files with odd fields; `nil` if it was not
  ///   determined and its behavior follows from the findings.
  init(
    _ findings: [OddityCount], overlap: OverlapKind, first: COCOResults.Shape,
    outcome: ReferenceOutcome? = nil
  ) {
    differing = findings.filter { !Self.isAlike($0.oddity, overlap, first) }
    switch outcome {
    case .stops(let stop)?: self.stop = stop
    case .unknown(let what)?: unknown = what
    case .columns?: break
    case nil:
      if overlap == .keypoints, !differing.isEmpty {
        unknown = differing.map(\.name).joined(separator: ", ")
      }
    }
  }

  /// Returns whether the types of the files' fields must be read to determine the behavior of pycocotools.
  static func needsLook(
    _ findings: [OddityCount], _ inputs: FileDetectionInputs, isCompatible: Bool
  ) -> Bool {
    // Its behavior on odd fields is reproduced for boxes and regions only.
    if inputs.overlap == .keypoints { return false }
    let (truth, results) = (inputs.truth, inputs.results)
    if truth.isOdd || results.isOdd || results.isWrapped { return true }
    if haveTwoTypes(truth.images.map(\.id)) || haveTwoTypes(truth.categories.map(\.id)) {
      return true
    }
    if inputs.overlap == .box, truth.flags.contains(where: { $0.contains(.noBox) }) { return true }
    let first = results.first
    let isUniform = results.flags.allSatisfy { flags in
      first.hasBox
        ? !flags.contains(.noBox) : flags.contains(.noBox) && flags.contains(.region)
    }
    if !isUniform { return true }
    return findings.contains { finding in
      switch finding.oddity {
      // The behavior for these is known without reading the fields.
      case .zeroID, .notFiniteScore: false
      case .repeatedID, .repeatedImageID, .noImageSize, .boxAsRegion: inputs.overlap == .mask
      // The metrics are the same; pycocotools uses the last name.
      case .repeatedCategoryID: isCompatible
      default: !isAlike(finding.oddity, inputs.overlap, first)
      }
    }
  }

  private static func haveTwoTypes(_ ids: [SourceID]) -> Bool {
    var (hasNumber, hasText) = (false, false)
    for id in ids {
      switch id {
      case .integer: hasNumber = true
      case .text: hasText = true
      }
    }
    return hasNumber && hasText
  }

  /// Returns whether pycocotools and assay handle an oddity in the same way.
  ///
  /// Source: `coco.py`, `cocoeval.py` and `_mask.pyx` of pycocotools 2.0.11.
  private static func isAlike(
    _ oddity: COCOOddity, _ overlap: OverlapKind, _ first: COCOResults.Shape
  ) -> Bool {
    switch oddity {
    case .oddRegion, .boxAsRegion: first.hasBox
    case .noImageSize: overlap == .box
    case .repeatedList, .noAnnotations, .repeatedImageID, .categoryWithoutName,
      .repeatedCategoryID, .repeatedCategoryName, .truthOfUnknownImage, .truthOfUnknownCategory,
      .negativeTruthBox, .oddTruthRegion, .resultOfUnknownCategory, .negativeBox:
      true
    case .truthWithoutRegion, .badTruthRegion, .truthMaskSize, .badRegion, .maskSize:
      overlap == .keypoints
    default: false
    }
  }
}
