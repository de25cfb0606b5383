/// The images of a check that are the same or nearly the same. Images are places in its list.
struct DuplicateGroups: Hashable, Sendable {
  /// Groups of at least two identical images, each ascending, by their first image.
  var exact: [[Int]] = []
  /// True for the exact groups whose files differ, but not their pixels.
  var hasDifferentFiles: [Bool] = []
  /// Groups of at least two images that are connected by exact or near duplicates.
  var all: [[Int]] = []
  /// The smallest similarity of a pair that connects each of those groups; 1 if all are identical.
  var similarities: [Float] = []
  /// True for groups with a mirrored image.
  var hasMirrored: [Bool] = []
  /// The number of images whose search found more candidates than are compared.
  var crowded = 0
}
