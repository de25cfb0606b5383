/// What a model does. The raw value is the manifest's `task` and the catalog's spelling.
package enum ModelTask: String, CaseIterable, Sendable, Codable {
  /// One probability a class for the whole image.
  case classification
  /// One probability a class for each pixel: regions.
  case segmentation
  /// Objects: a box each, with the class and its score.
  case detection
}
