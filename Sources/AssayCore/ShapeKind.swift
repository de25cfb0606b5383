/// The kind of an annotation's geometry. The raw value is the catalog's spelling.
package enum ShapeKind: String, CaseIterable, Sendable, Codable {
  /// The whole image.
  case label
  /// A box only.
  case box
  /// One or more polygons; the region is their union.
  case polygon
  /// Run lengths.
  case mask
}
