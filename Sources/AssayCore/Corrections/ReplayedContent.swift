/// Labels and objects at one point of a replay.
package struct ReplayedContent: Hashable, Sendable {
  package var label: String?
  /// For a multi-label dataset; `nil` for others.
  package var labels: Set<String>?
  package var objects: [AnnotatedObject]
  package var leftOut: String?
  package var size: ImageSize?

  package init(
    label: String?, labels: Set<String>? = nil, objects: [AnnotatedObject], leftOut: String?,
    size: ImageSize?
  ) {
    self.label = label
    self.labels = labels
    self.objects = objects
    self.leftOut = leftOut
    self.size = size
  }

  /// All pixels of a class; `nil` if the size is unknown. Objects with damaged geometry are
  /// omitted.
  package func region(of category: String) -> Mask? {
    guard let size else { return nil }
    return Mask.union(
      of: objects.filter { $0.category == category }.compactMap { try? $0.mask(in: size) },
      size: size)
  }
}
