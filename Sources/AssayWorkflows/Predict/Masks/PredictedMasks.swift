package import AssayCore

/// The predicted masks of one image: the pixels of each class.
package struct PredictedMasks: Sendable, Hashable {
  /// The size of the image and of all masks.
  package let size: ImageSize
  /// The mask of each class except the background, by ascending ordinal of the run's classes.
  package let masks: [(class: Int, mask: Mask)]
  /// The pixels that the model has not seen, outside a center crop; `nil` if it has seen all of
  /// them.
  package let void: Mask?

  package init(size: ImageSize, masks: [(class: Int, mask: Mask)], void: Mask?) {
    self.size = size
    self.masks = masks
    self.void = void
  }

  /// The mask of a class; `nil` for the background.
  package func mask(of ordinal: Int) -> Mask? { masks.first { $0.class == ordinal }?.mask }

  package static func == (first: PredictedMasks, second: PredictedMasks) -> Bool {
    first.size == second.size && first.void == second.void
      && first.masks.elementsEqual(second.masks) { $0.class == $1.class && $0.mask == $1.mask }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    for (ordinal, mask) in masks {
      hasher.combine(ordinal)
      hasher.combine(mask)
    }
  }
}
