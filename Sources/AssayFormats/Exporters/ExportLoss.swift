/// A kind of content that a target format cannot hold. The raw value is the key in JSON.
package enum ExportLoss: String, CaseIterable, Sendable {
  case objects
  case wholeImageLabels = "whole_image_labels"
  case labelSets = "label_sets"
  case boxesAsPolygons = "boxes_as_polygons"
  case boxesAsMasks = "boxes_as_masks"
  case polygonsAsBoxes = "polygons_as_boxes"
  case polygonsAsMasks = "polygons_as_masks"
  case polygonsAsRotatedBoxes = "polygons_as_rotated_boxes"
  case masksAsPolygons = "masks_as_polygons"
  case masksAsBoxes = "masks_as_boxes"
  case parts
  case instances
  case stuffSegments = "stuff_segments"
  case overlaps = "overlapping_pixels"
  case covered
  case holes
  case lines
  case points
  case tags
  case captions
  case annotators
  case keypoints
  case keypointsApart = "keypoints_apart"
  case missingKeypoints = "missing_keypoints"
  case crowds
  case attributes
  case areas
  case statedBoxes = "stated_boxes"
  case digits
  case frames
  case outside
  case outsideEntirely = "entirely_outside"
  case withoutArea = "without_area"
  case unitBoxes = "unit_boxes"
  case duplicates
  case objectIDs = "annotation_ids"
  case imageIDs = "image_ids"
  case classIDs = "class_ids"
  case classNames = "class_names"
  case unusedClasses = "unused_classes"
  case classOrder = "class_order"
  case supercategories
  case classFields = "class_fields"
  case imageFields = "image_fields"
  case voidClasses = "void_classes"
  case splits
  case imageNames = "image_names"
  case missingFiles = "missing_files"
  case imagesWithoutFile = "images_without_file"
  case imagesWithoutSize = "images_without_size"

  /// The treatment of this content: a clause after "12 " and the noun.
  package func text(_ count: Int) -> String {
    let isOne = count == 1
    func noun(_ one: String, _ many: String? = nil) -> String {
      "\(count) \(isOne ? one : many ?? one + "s")"
    }
    let (are, have) = isOne ? ("is", "has") : ("are", "have")
    switch self {
    case .objects: return "\(noun("annotation")) inside images \(are) left out"
    case .wholeImageLabels: return "the labels of \(noun("whole image")) are left out"
    case .labelSets:
      return "the labels of \(noun("image")) with another number of labels than one are left out"
    case .boxesAsPolygons:
      return "\(noun("box", "boxes")) \(are) written as polygons of four corners"
    case .boxesAsMasks: return "\(noun("box", "boxes")) \(are) written as masks of all their pixels"
    case .polygonsAsBoxes: return "\(noun("polygon")) \(are) written as boxes"
    case .polygonsAsMasks: return "\(noun("polygon")) \(are) written as masks"
    case .polygonsAsRotatedBoxes:
      return "\(noun("polygon")) \(are) written as the smallest rotated box around them"
    case .masksAsPolygons: return "\(noun("mask")) \(are) written as outlines"
    case .masksAsBoxes: return "\(noun("mask")) \(are) written as boxes"
    case .parts: return "\(noun("object")) of several parts \(are) joined into one outline or mask"
    case .instances:
      return "\(noun("object")) \(are) joined with others of their class in one region"
    case .stuffSegments:
      return
        "\(noun("segment")) of stuff classes \(are) joined with others of their class in one segment of the "
        + "image"
    case .overlaps:
      return "\(noun("pixel")) of objects \(are) lost to a smaller object that covers them"
    case .covered: return "\(noun("object")) entirely covered by others \(are) left out"
    case .holes: return "\(noun("mask")) with holes \(are) filled"
    case .lines: return "\(noun("line")) \(are) left out"
    case .points: return "\(noun("annotation")) of points \(are) left out"
    case .captions: return "\(noun("caption")) \(are) left out"
    case .tags: return "\(noun("label")) of images with fields, or beside objects, \(are) left out"
    case .annotators:
      return "\(noun("annotation")) of further annotators \(are) left out"
    case .keypoints: return "the keypoints of \(noun("object")) are left out"
    case .keypointsApart:
      return
        "the keypoints of \(noun("object")) are written as points of their own, in the same group"
    case .missingKeypoints:
      return "\(noun("object")) without all keypoints \(have) missing ones written as not labeled"
    case .crowds: return "\(noun("crowd")) \(are) written as single objects"
    case .attributes: return "\(noun("attribute")) of objects \(are) left out"
    case .areas: return "\(noun("stated area")) \(are) left out"
    case .statedBoxes:
      return "\(noun("box", "boxes")) stated beside a shape \(are) replaced by the shape's bounds"
    case .digits: return "the coordinates of \(noun("object")) are rounded"
    case .frames:
      return
        "\(noun("image")) with annotations in the frame without EXIF orientation \(are) left out: write the pixels "
        + "of the image as they are displayed, without the orientation, and its annotations"
    case .outside: return "\(noun("object")) \(are) cut at the image's edge"
    case .outsideEntirely:
      return "\(noun("object")) entirely outside the image \(are) left out"
    case .withoutArea: return "\(noun("object")) without any area \(are) left out"
    case .unitBoxes:
      return
        "\(noun("box", "boxes")) in the first pixel \(are) left out: a reader takes "
        + "\(isOne ? "it" : "them") for fractions"
    case .duplicates: return "\(noun("repeated object")) \(are) written once"
    case .objectIDs: return "\(noun("annotation id")) \(are) left out"
    case .imageIDs: return "\(noun("image id")) \(are) left out"
    case .classIDs: return "\(noun("class id")) \(are) left out"
    case .classNames: return "\(noun("class", "classes")) \(have) another name in the files"
    case .unusedClasses: return "\(noun("class", "classes")) without annotations \(are) left out"
    case .classOrder: return "the order of \(noun("class", "classes")) is not kept"
    case .supercategories: return "\(noun("supercategory", "supercategories")) \(are) left out"
    case .classFields:
      return
        "further fields of \(noun("class", "classes")) (keypoints, skeletons, colors) are left out"
    case .imageFields: return "further fields of \(noun("image")) are left out"
    case .voidClasses:
      return "\(noun("void class", "void classes")) \(are) written as others, or as one"
    case .splits: return "\(noun("image")) \(have) another split, or none"
    case .imageNames: return "\(noun("image")) \(have) another file name (manifest.json lists them)"
    case .missingFiles:
      return "\(noun("image")) \(have) no usable file; only annotations are written"
    case .imagesWithoutFile: return "\(noun("image")) without a file \(are) left out"
    case .imagesWithoutSize:
      return
        "\(noun("image")) of unknown size, or of another size than its annotations, \(are) left out"
    }
  }
}

/// The counts of content that a target format cannot hold.
package struct ExportLosses: Hashable, Sendable {
  private(set) package var counts: [ExportLoss: Int] = [:]
  /// The number of left-out attributes by name.
  private(set) package var attributes: [String: Int] = [:]

  package init() {}

  package var isEmpty: Bool { counts.isEmpty }

  /// The counts in the order of the kinds.
  package var list: [(kind: ExportLoss, count: Int)] {
    ExportLoss.allCases.compactMap { kind in counts[kind].map { (kind, $0) } }
  }

  package mutating func note(_ kind: ExportLoss, _ count: Int = 1) {
    if count > 0 { counts[kind, default: 0] += count }
  }

  package mutating func note(attribute name: String) {
    note(.attributes)
    // An untrusted source can have a name per object.
    if attributes[name] != nil || attributes.count < 1000 { attributes[name, default: 0] += 1 }
  }

  package mutating func add(_ other: ExportLosses) {
    counts.merge(other.counts, uniquingKeysWith: +)
    attributes.merge(other.attributes, uniquingKeysWith: +)
  }
}
