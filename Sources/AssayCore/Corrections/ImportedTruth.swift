/// The imported ground truth of one sample: the start of a replay.
package struct ImportedTruth: Hashable, Sendable {
  /// The annotation set's name.
  package var set: String
  /// The class of the whole image; `nil` if it has none.
  package var label: String?
  /// The classes of the whole image in a multi-label dataset; `nil` in others.
  package var labels: Set<String>?
  /// In source order.
  package var objects: [AnnotatedObject]
  /// The size of the image and of all masks; `nil` if the image was not read.
  package var size: ImageSize?
  /// True if a pixel has at most one class, as in index masks: pixels that a correction gives to a class or an object
  /// are taken from the others.
  package var isLabelMap: Bool
  /// The corrections that it includes already; `nil` for none.
  package var includes: IncludedCorrections?

  package init(
    set: String = "labels", label: String? = nil, labels: Set<String>? = nil,
    objects: [AnnotatedObject] = [],
    size: ImageSize? = nil, isLabelMap: Bool = false
  ) {
    self.isLabelMap = isLabelMap
    self.set = set
    self.label = label
    self.labels = labels
    self.objects = objects
    self.size = size
  }

  /// The ground truth as the start of a replay of a ledger's entries: corrections of another ledger
  /// are not included.
  package func replaying(ledger: String) -> ImportedTruth {
    guard let includes, includes.ledger != ledger else { return self }
    var truth = self
    truth.includes = nil
    return truth
  }
}
