/// The error types of detections and missed objects, in the order in which they are listed.
///
/// Source: D. Bolya, S. Foley, J. Hays, J. Hoffman, "TIDE: A General Toolbox for Identifying Object
/// Detection Errors" (2020), which calls them Cls, Loc, Both, Dupe, Bkg and Miss.
package enum DetectionErrorKind: String, CaseIterable, Sendable, Codable {
  /// Correct location, wrong class.
  case `class` = "classification"
  /// Correct class, imprecise location.
  case place = "localization"
  /// Wrong class and imprecise location.
  case both
  /// Correct class and location, but a better detection already matched the object.
  case duplicate
  /// No object at that location.
  case background
  /// An object that no detection matched and that no classification or localization error explains.
  case missed

  /// The metric for its cost in average precision.
  package var cost: MetricKind {
    switch self {
    case .class: .classificationErrorCost
    case .place: .localizationErrorCost
    case .both: .bothErrorCost
    case .duplicate: .duplicateErrorCost
    case .background: .backgroundErrorCost
    case .missed: .missedErrorCost
    }
  }
}
