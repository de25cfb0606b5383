import AssayCore
import CSimdJSON

/// The content of a JSON file of COCO's family. An import reads one kind of content: the first case
/// here that a file has.
enum COCOContent: String, CaseIterable {
  case instances
  case keypoints
  case panoptic
  case stuff
  case captions
  case labels
  case imageInfo
  case results

  /// Its name in the message about a file that is not imported.
  var name: String {
    switch self {
    case .instances: "instances"
    case .keypoints: "keypoints of people"
    case .stuff: "stuff"
    case .panoptic: "panoptic segments"
    case .captions: "captions"
    case .labels: "labels of whole images"
    case .imageInfo: "images without annotations"
    case .results: "results of a model"
    }
  }

  /// The content according to COCO's file names, `instances_val2017.json`; `nil` for other names.
  init?(fileName: String) {
    let name = fileName.lowercased()
    let prefixes: [(String, COCOContent)] = [
      ("instances", .instances), ("person_keypoints", .keypoints), ("stuff", .stuff),
      ("panoptic", .panoptic), ("captions", .captions), ("labels_", .labels),
      ("image_info", .imageInfo),
    ]
    guard let found = prefixes.first(where: { name.hasPrefix($0.0) }) else { return nil }
    self = found.1
  }

  /// The content according to the fields of an annotation; `nil` if they do not tell.
  ///
  /// - Parameter annotation: a file's first annotation, from this batch.
  init?(_ annotation: assay_coco_annotation, in batch: assay_coco_batch) {
    let further = batch.text(annotation.attributes)
    let hasShape =
      annotation.shape != UInt8(assay_shape_none.rawValue)
      || FieldState(annotation.box_state) != .missing
    if further.contains("\"segments_info\":") {
      self = .panoptic
    } else if hasShape {
      // Captions of objects are fields of instances.
      self = .instances
    } else {
      let isCaption = further.contains("\"caption\":")
      guard isCaption || annotation.category.field.isUsable else { return nil }
      self = isCaption ? .captions : .labels
    }
  }
}
