/// The order of a review's samples. The raw value is the spelling on the command line and in the
/// catalog.
package enum ReviewOrder: String, CaseIterable, Sendable, Hashable {
  /// Those first that the model is least sure of.
  case uncertainty
  /// Those first where runs disagree with each other, or a run with the truth.
  case disagreement
  /// A draw by seed.
  case random
}
