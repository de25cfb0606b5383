/// The kind of an annotation's geometry. The raw value is the catalog's spelling.
package enum ShapeKind: String, CaseIterable, Sendable, Codable {
  /// The whole image: its class in a dataset of labels, also with fields of its own.
  case label
  /// A box only.
  case box
  /// One or more polygons; the region is their union.
  case polygon
  /// Run lengths.
  case mask
  /// One or more open lines; they have no area.
  case polyline
  /// One or more points, such as landmarks; they have no area.
  case points
  /// The whole image: one of several labels, or one beside regions; it has neither box nor geometry.
  case tag

  /// True for labels, which have no place in the image.
  package var isOfWholeImage: Bool {
    switch self {
    case .label, .tag: true
    case .box, .polygon, .mask, .polyline, .points: false
    }
  }

  /// True if the shape covers pixels, so that it is evaluated as an object or as part of a mask.
  package var isRegion: Bool {
    switch self {
    case .box, .polygon, .mask: true
    case .label, .polyline, .points, .tag: false
    }
  }
}
