package import AssayCore
import CSimdJSON

/// COCO's JSON of instances, keypoints, panoptic segments, stuff, captions or images alone: beside its images, in `annotations/` beside folders of images, the
/// layouts of Roboflow and MMDetection, or a single JSON with its images in another folder.
///
/// Each JSON file is a split. Key and location of a sample: its image's path below the images'
/// root. The file is read in steps: first its lists are located, then images and categories are
/// read, then annotations, in batches of whole elements that workers parse.
package struct COCOImporter: COCOFileImporter {
  package init() {}

  package var format: DatasetFormat { .coco }

  package var summary: String {
    "COCO JSON: instances, keypoints, panoptic segments, stuff, captions, images alone"
  }

  package var recognizedBy: String {
    "a JSON with 'images' and 'annotations', alone (--images DIR) or in a folder: "
      + "annotations/instances_val2017.json + val2017/ (or images/val2017/), x.json beside its "
      + "images, train/_annotations.coco.json; each JSON is a split; of several kinds of annotations "
      + "the first of instances, keypoints, panoptic, stuff, captions and image_info is read"
  }

  /// The split in a JSON file's name: `val2017` of `instances_val2017.json`; `nil` if there is
  /// none.
  package static func split(ofFile name: String) -> String? { COCOLayout.split(of: name) }

  /// Some of the image files that a JSON file names, if its beginning contains any.
  ///
  /// - Throws: any error that the tree throws.
  package static func someFileNames(
    of path: String, in tree: any SourceTree
  ) throws -> [String] {
    var head = [UInt8](repeating: 0, count: COCOCandidate.headBytes)
    head.removeLast(head.count - (try SourceContent.readHead(tree, path, into: &head)))
    guard let images = try JSONOutline(head: head)["images"], images.isArray else { return [] }
    let parser = try COCOParser()
    // Images of LVIS have a URL instead of a name.
    return images.batches.prefix(8).compactMap { span in
      guard span.bytes.upperBound <= head.count, span.count > 0 else { return nil }
      return try? parser.parse(assay_coco_lvis_images, head[span.bytes]) { batch in
        guard let image = batch.images?.pointee else { return nil }
        let (name, state) = batch.name(of: image)
        return state.isUsable ? name : nil
      }
    }
  }
}
