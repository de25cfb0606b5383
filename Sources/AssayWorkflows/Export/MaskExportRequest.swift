import AssayCore

/// The request of a mask export.
package struct MaskExportRequest: Hashable, Sendable {
  /// The rule that makes an image square.
  package enum CropRule: String, CaseIterable, Sendable {
    /// The largest centered square; the rest is cut off.
    case center
    /// Nothing is cut off; the aspect ratio changes.
    case none
  }

  /// The dataset, the view, or the part of either to export.
  package var view: String
  /// The classes: one for binary masks of its union; several, or an empty list for all, for index
  /// masks in this order.
  package var categories: [String] = []
  /// The side length of the squares that images and masks are resized to; `nil` keeps the images'
  /// sizes.
  package var side: Int?
  package var crop = CropRule.center

  /// The maximum value of ``side``.
  package static let sideLimit = 10_000

  package init(view: String) { self.view = view }
}
