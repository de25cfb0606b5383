package import AssayFormats
package import AssayMetrics

/// What pycocotools makes of the same files.
package struct FileDetectionReference: Sendable {
  /// How it deals with an oddity.
  enum Stance: Hashable {
    /// As it is dealt with here.
    case same
    /// In another way, which can be reproduced.
    case differs
    /// It stops, and with what.
    case stops(String)
    /// In a way that is not reproduced.
    case unlike
  }

  /// Where it stops: the oddity, and with what.
  package var stops: [(oddity: COCOFinding, error: String)] = []
  /// What it takes in another way.
  package var differing: [COCOFinding] = []
  /// What it takes in a way that is not reproduced.
  package var unlike: [COCOFinding] = []
  /// Its numbers, where it gives others; `nil` where it gives the same, or none.
  package var scores: DetectionScores?

  init(_ findings: [COCOFinding], overlap: OverlapKind, first: COCOResults.Shape) {
    for finding in findings {
      switch Self.stance(finding.oddity, overlap, first) {
      case .same: break
      case .differs: differing.append(finding)
      case .stops(let error): stops.append((finding, error))
      case .unlike: unlike.append(finding)
      }
    }
  }

  /// Source: `coco.py`, `cocoeval.py` and `_mask.pyx` of pycocotools 2.0.11.
  static func stance(
    _ oddity: COCOOddity, _ overlap: OverlapKind, _ first: COCOResults.Shape
  ) -> Stance {
    switch oddity {
    case .zeroID, .repeatedID, .mistypedTruth, .mistypedCategory, .negativeArea, .notFiniteArea,
      .notFiniteScore, .truthMaskSize, .maskSize:
      .differs
    case .strangeTruthRegion, .badTruthRegion, .strangeRegion, .badRegion, .notFiniteTruthBox,
      .notFiniteBox:
      .unlike
    case .oddRegion: first.hasBox ? .same : .stops("TypeError")
    case .noImageSize: overlap == .box ? .same : .stops("KeyError: 'height'")
    case .badImage, .badCategory, .badAnnotation, .badResult: .stops("TypeError")
    case .imageWithoutID, .categoryWithoutID, .annotationWithoutID: .stops("KeyError: 'id'")
    case .truthWithoutReference, .resultWithoutReference: .stops("KeyError")
    case .textAnnotationID: .stops("ValueError: could not convert string to float")
    case .noArea: .stops("KeyError: 'area', of null a TypeError")
    case .textArea: .stops("TypeError: a text compared with a number")
    case .noCrowd: .stops("KeyError: 'iscrowd', of null a TypeError")
    case .badCrowd: .stops("an 'iscrowd' that int() does not take")
    case .truthWithoutBox: .stops("KeyError: 'bbox', of null a TypeError")
    case .truthWithoutRegion: .stops("KeyError: 'segmentation'")
    case .truthWithoutShape, .resultWithoutShape: .stops("KeyError")
    case .wrappedResults: .stops("AssertionError: results in not an array of objects")
    case .noResults: .stops("IndexError: list index out of range")
    case .resultOfUnknownImage, .mistypedImage:
      .stops("AssertionError: Results do not correspond to current coco set")
    case .noScore: .stops("KeyError: 'score', of null a TypeError")
    case .textScore: .stops("TypeError: bad operand type for unary -: 'str'")
    case .resultWithoutBox: .stops("KeyError: 'bbox', of null a TypeError")
    case .boxAsRegion: first.hasBox ? .same : .stops("KeyError: 'segmentation'")
    case .uncompressedRegion: .stops("TypeError")
    case .repeatedList, .noAnnotations, .repeatedImageID, .categoryWithoutName,
      .repeatedCategoryID, .repeatedCategoryName, .truthOfUnknownImage, .truthOfUnknownCategory,
      .negativeTruthBox, .oddTruthRegion, .resultOfUnknownCategory, .negativeBox:
      .same
    }
  }
}
