/// The annotations, the prediction or the images that a finding about one sample is about: what its
/// picture emphasizes.
package struct FindingEvidence: Hashable, Sendable {
  /// The ordinals of the annotations, in source order.
  package var annotations: [Int] = []
  /// The place of the detection in its sample, in the run that the finding comes from.
  package var detection: Int?
  /// The row ids of the images that are most similar to the model, the closest first.
  package var neighbors: [Int64] = []

  package init(annotations: [Int] = [], detection: Int? = nil, neighbors: [Int64] = []) {
    (self.annotations, self.detection, self.neighbors) = (annotations, detection, neighbors)
  }
}
