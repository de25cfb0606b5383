import AssayCore
import CSimdJSON

/// A JSON file that looks like COCO's instances or results but has other evaluation rules; COCO's
/// rules would give wrong numbers without a message.
package struct COCOForeignFile: Error, Hashable, Sendable {
  /// The format of the file.
  package enum Kind: Hashable, Sendable {
    /// Images list the categories that were verified in them.
    case lvis
    /// Annotations are the segments of a panoptic map.
    case panoptic
    /// A bbox has five numbers.
    case orientedBoxes
  }

  package var file: String
  /// The JSON pointer of the first element that identifies the format.
  package var pointer: String
  package var kind: Kind
}

extension COCOForeignFile: CustomStringConvertible {
  package var description: String {
    let place = "\(file)#\(pointer)"
    return switch kind {
    case .lvis:
      """
      \(place): 'neg_category_ids' and 'not_exhaustive_category_ids' belong to LVIS, which evaluates in each image \
      only the categories that were verified there; this is not supported, and COCO's rules give other numbers
      evaluate it with the lvis package; to use COCO's rules all the same, remove the two lists from the images
      """
    case .panoptic:
      """
      \(place): 'segments_info' belongs to a panoptic segmentation, which is evaluated by panoptic quality (PQ); \
      this is not supported
      evaluate it with panopticapi, or give a JSON of instances
      """
    case .orientedBoxes:
      """
      \(place): expected a bbox of 4 numbers (x, y, width, height), found 5, as oriented boxes have (the last one \
      is the angle); this is not supported
      write the upright box around each object first, or remove the fifth number where it is no angle
      """
    }
  }
}

extension assay_coco_marks {
  /// The value for a batch without such elements.
  static let none = assay_coco_marks(
    lvis: -1, keypoints: -1, segments: -1, oriented: -1, empty_fields: -1)

  /// Rejects elements that belong to another kind of file; keypoints are not checked.
  ///
  /// - Parameters:
  ///   - list: the pointer of the list that contains the batch: `/images`.
  ///   - first: the index of the batch's first element.
  /// - Throws: ``COCOForeignFile``.
  func check(_ file: String, _ list: String, from first: Int) throws(COCOForeignFile) {
    if let foreign = kind(file, list, from: first) { throw foreign }
  }

  /// Returns the error that ``check(_:_:from:)`` throws; `nil` if there is none.
  func kind(_ file: String, _ list: String, from first: Int) -> COCOForeignFile? {
    for (place, kind, member) in [
      (lvis, COCOForeignFile.Kind.lvis, ""), (segments, .panoptic, ""),
      (oriented, .orientedBoxes, "/bbox"),
    ] where place >= 0 {
      return COCOForeignFile(
        file: file, pointer: "\(list)/\(first + Int(place))\(member)", kind: kind)
    }
    return nil
  }
}
