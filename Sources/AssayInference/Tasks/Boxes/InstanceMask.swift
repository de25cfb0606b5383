import AssayCore
import AssayImaging

/// The mask of a box before it is drawn into the original image.
package enum InstanceMask: Hashable, Sendable {
  /// Coefficients of maps that all boxes of the sample share.
  case prototypes(PrototypeMask)
  /// Probabilities of the box's own.
  case cells(CellMask)
  /// The outline of a rotated box.
  case outline(OrientedOutline)

  /// The mask in the original image.
  ///
  /// - Parameters:
  ///   - box: the box in the image's pixels, within the image.
  ///   - plan: the resize from the image to the model's input.
  func mask(in box: Box, through plan: ResizePlan) -> Mask {
    switch self {
    case .prototypes(let mask): mask.mask(in: box, through: plan)
    case .cells(let mask): mask.mask(through: plan)
    case .outline(let outline): Mask(polygons: [outline.points(through: plan)], size: plan.source)
    }
  }
}
