/// The order of a review's samples. The raw value is the spelling on the command line and in the
/// catalog.
package enum ReviewOrder: String, CaseIterable, Sendable, Hashable {
  /// The samples with the most uncertain predictions first.
  case uncertainty
  /// The samples first for which runs disagree with each other, or a run with the ground truth.
  case disagreement
  /// Random, by seed.
  case random
  /// The order of the dataset; the frames of a film in their order.
  case dataset
}
