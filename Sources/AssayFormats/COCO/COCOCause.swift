import AssayCore

/// What can be odd about a COCO file, one case a policy.
///
/// Errors leave a record out; warnings keep it as it is, or put it right as the message says.
enum COCOCause: Int, CaseIterable, Sendable {
  // The file
  case noInfo, otherFile, repeatedMember
  // Categories
  case badCategory, categoryWithoutName, repeatedCategoryID, repeatedCategoryName, oddCategoryID
  // Images
  case badImage, imageWithoutID, repeatedImageID, oddImageID, oddFileName, repeatedFileName
  case outsideRoot, noSize, oddSize, sizeTooLarge, missingImage, unreadableImage, sizeMismatch
  // Annotations
  case badAnnotation, unknownImage, unknownCategory, leftOutImage, mistypedReference
  case annotationWithoutID, repeatedID, oddID
  case noArea, badArea, noCrowd, badCrowd, noBox, badBox
  case noSegmentation, unusableSegmentation, noShape, oddPolygon, boxPolygon, flatPolygon, beyondImage
  case badRuns, maskSize, nulledAttribute
  // What is not evaluated
  case keypoints

  var kind: IssueKind {
    switch self {
    case .noInfo, .categoryWithoutName, .imageWithoutID, .noSize, .annotationWithoutID, .noArea,
      .noCrowd, .noBox, .noSegmentation:
      .missingField
    case .otherFile: .unsupportedFile
    case .badCategory, .oddCategoryID, .badImage, .oddImageID, .oddFileName, .oddSize,
      .badAnnotation, .mistypedReference, .oddID, .badArea, .badCrowd, .badBox, .nulledAttribute,
      .unusableSegmentation, .repeatedMember:
      .badField
    case .repeatedCategoryID, .repeatedCategoryName, .repeatedImageID, .repeatedFileName,
      .repeatedID:
      .duplicateID
    case .outsideRoot: .outsideRoot
    case .sizeTooLarge: .imageTooLarge
    case .missingImage: .missingImage
    case .unreadableImage: .unreadableImage
    case .sizeMismatch: .imageSize
    case .unknownImage, .unknownCategory, .leftOutImage: .unknownReference
    case .noShape, .oddPolygon, .boxPolygon, .flatPolygon, .beyondImage, .badRuns: .badShape
    case .maskSize: .maskSize
    case .keypoints: .unsupportedField
    }
  }

  var severity: Issue.Severity {
    switch self {
    case .badCategory, .repeatedCategoryID, .badImage, .repeatedImageID, .outsideRoot,
      .sizeTooLarge, .badAnnotation, .unknownImage, .unknownCategory, .leftOutImage, .noShape,
      .badRuns, .maskSize:
      .error
    default: .warning
    }
  }

  /// The most issues of one file that are listed one by one. What a whole file leaves out by custom is
  /// told by some examples and a count.
  var listed: Int {
    switch self {
    case .noArea, .noCrowd, .noBox, .noSegmentation, .annotationWithoutID, .oddID, .oddImageID,
      .beyondImage, .leftOutImage, .mistypedReference, .noSize, .oddSize:
      100
    default: IssueLimit.limit
    }
  }

  /// What more of the same is called.
  var plural: String {
    switch self {
    case .noArea: "annotations without 'area'"
    case .noCrowd: "annotations without 'iscrowd'"
    case .noBox: "annotations without 'bbox'"
    case .noSegmentation: "annotations without a segmentation"
    case .annotationWithoutID: "annotations without an id"
    case .oddID, .oddImageID, .oddCategoryID: "odd ids"
    case .beyondImage: "shapes that reach beyond their image"
    case .leftOutImage: "annotations of images that were left out"
    case .mistypedReference: "references of another type"
    case .noSize: "images without a size"
    case .oddSize: "odd sizes"
    case .missingImage: "missing images"
    case .unknownImage: "annotations of unknown images"
    case .unknownCategory: "annotations of unknown categories"
    default: "like it"
    }
  }
}

/// What was found in a part of a file: the first of each cause as issues, all of them counted.
struct OddityIssues: Sendable {
  private(set) var counts = [Int](repeating: 0, count: COCOCause.allCases.count)
  private(set) var listed: [(cause: COCOCause, issue: Issue)] = []
  private let file: String

  init(_ file: String) { self.file = file }

  /// Counts one, and makes an issue of it while there are few of its cause.
  mutating func note(
    _ cause: COCOCause, _ pointer: @autoclosure () -> String?, key: String? = nil,
    _ message: @autoclosure () -> String
  ) {
    counts[cause.rawValue] += 1
    guard counts[cause.rawValue] <= cause.listed else { return }
    listed.append(
      (
        cause,
        Issue(
          cause.kind, cause.severity, at: IssueLocation(file: file, pointer: pointer()),
          sampleKey: key, message())
      ))
  }

  /// Counts more of a cause without a word on each.
  mutating func count(_ cause: COCOCause, _ more: Int) { counts[cause.rawValue] += more }
}

/// Keeps the issues of one file bounded, cause by cause.
struct OddityIssueList {
  private var counts = [Int](repeating: 0, count: COCOCause.allCases.count)
  private var kept = [Int](repeating: 0, count: COCOCause.allCases.count)
  private let file: String

  init(_ file: String) { self.file = file }

  /// Those of some findings that are kept.
  mutating func take(_ findings: OddityIssues) -> [Issue] {
    for cause in COCOCause.allCases { counts[cause.rawValue] += findings.counts[cause.rawValue] }
    var issues: [Issue] = []
    for (cause, issue) in findings.listed where kept[cause.rawValue] < cause.listed {
      kept[cause.rawValue] += 1
      issues.append(issue)
    }
    return issues
  }

  /// One issue for each cause of which some were not listed.
  func remainder() -> [Issue] {
    COCOCause.allCases.compactMap { cause in
      let more = counts[cause.rawValue] - kept[cause.rawValue]
      guard more > 0 else { return nil }
      let total = counts[cause.rawValue]
      return Issue(
        cause.kind, cause.severity, at: IssueLocation(file: file),
        "\(more) more \(cause.plural) (\(total) in all) were counted and not listed")
    }
  }
}
