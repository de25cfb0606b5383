/// The error types of detections and missed objects, in the order in which they are listed.
///
/// Source: D. Bolya, S. Foley, J. Hays, J. Hoffman, "TIDE: A General Toolbox for Identifying Object
/// Detection Errors" (2020), which calls them Cls, Loc, Both, Dupe, Bkg and Miss.
package enum DetectionErrorKind: String, CaseIterable, Sendable, Codable {
  /// In the right place, of another class.
  case `class` = "classification"
  /// Of the right class, not well enough in its place.
  case place = "localization"
  /// Of another class, and not well enough in its place.
  case both
  /// Of the right class and in its place, where a better one was counted already.
  case duplicate
  /// Nothing is at that place.
  case background
  /// An object that no detection was counted for, and that no class or place error explains.
  case missed

  /// The metric that says how much average precision it costs.
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
