import Synchronization

/// Counts what is reported about the dataset as a whole; used by several threads.
final class DatumaroTally: Sendable {
  private let several = Mutex(0)

  /// Counts an image with several labels.
  func addSeveral() { several.withLock { $0 += 1 } }

  /// The notes, one sentence each.
  var notes: [String] {
    let count = several.withLock { $0 }
    guard count > 0 else { return [] }
    return [
      "\(count) \(count == 1 ? "image has" : "images have") several labels of the whole image: they are "
        + "kept as lines around the image and not evaluated; for multi-label classification, convert "
        + "the dataset with Datumaro to COCO labels and import it as coco-labels"
    ]
  }
}
