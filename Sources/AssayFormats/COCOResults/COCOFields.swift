/// The fields, besides its image, that an annotation or a result must have to be used.
///
/// Detections need all of them. Masks that are merged per image need no score, and no category
/// either if the masks of all categories are merged.
package struct COCOFields: OptionSet, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  /// A category that the ground truth lists. Without this option, the list of categories is not
  /// read, and the category of an entry can be anything.
  package static let category = COCOFields(rawValue: 1)
  /// A score, for results.
  package static let score = COCOFields(rawValue: 2)
  package static let all: COCOFields = [.category, .score]
}
