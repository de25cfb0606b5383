import AssayCore

/// The request of a mask export.
package struct MaskExportRequest: Hashable, Sendable {
  /// The rule that makes an image square.
  package enum CropRule: String, CaseIterable, Sendable {
    /// The largest centered square, the rest cut off.
    case center
    /// Nothing is cut off: proportions change.
    case none
  }

  /// A dataset, a view, or a part of either.
  package var view: String
  /// One: binary masks of its union. Several, or none for all: index masks in this order.
  package var categories: [String] = []
  /// The side of the squares that image and mask are brought to; `nil` keeps the images' sizes.
  package var side: Int?
  package var crop = CropRule.center

  /// The most that ``side`` may be.
  package static let sideLimit = 10_000

  package init(view: String) { self.view = view }
}
