/// The rule for the score of a sample in a class that neither its ground truth nor its prediction
/// contains.
///
/// It applies only to such pairs: an empty ground truth with a nonempty prediction scores 0 under
/// each rule. torchmetrics, MONAI and scikit-learn differ here. The raw value is its name on the
/// command line and in JSON.
package enum EmptyRule: String, Sendable, Codable, CaseIterable {
  /// No score: the sample is left out of every mean and counted in `defined/total`.
  case undefined
  /// 1, as for any other correct prediction.
  case one
  /// 0.
  case zero

  /// The score; `nil` if there is none.
  package var score: Double? {
    switch self {
    case .undefined: nil
    case .one: 1
    case .zero: 0
    }
  }
}
