import AssayCore

/// Recognizes a file whose boxes are fractions of their images' sizes: COCO's are pixels, and read as
/// such they all lie in the first pixel.
struct COCORelativeBoxes {
  private var boxes = 0
  private var isWithinOne = true
  private var hasFraction = false
  /// The largest of the file's images.
  private var largest: ImageSize?

  /// Boxes in the first pixel mean nothing in images of this side or less.
  private static let side = 8

  /// Adds images of the file.
  mutating func add(_ samples: [ImportedSample]) {
    for case let size? in samples.lazy.map(\.size) where size.area > largest?.area ?? 0 {
      largest = size
    }
  }

  /// Adds annotations of the file.
  mutating func add(_ annotations: [ImportedAnnotation]) {
    guard isWithinOne else { return }
    for case let box? in annotations.lazy.map(\.box) {
      boxes += 1
      let numbers = [box.x, box.y, box.x + box.width, box.y + box.height]
      // A box that ends at the right edge can exceed 1 by a rounding.
      guard numbers.allSatisfy({ $0 >= -0.001 && $0 <= 1.001 }) else {
        isWithinOne = false
        return
      }
      hasFraction = hasFraction || numbers.contains { $0 > 0 && $0 < 1 }
    }
  }

  /// Refuses a file whose boxes are all relative.
  ///
  /// - Throws: ``FormatError/notCOCO(_:problem:)``.
  func check(_ file: String) throws(FormatError) {
    guard boxes > 0, isWithinOne, hasFraction else { return }
    if let largest, largest.width <= Self.side, largest.height <= Self.side { return }
    let all = boxes == 1 ? "its only box lies" : "all \(boxes) boxes lie"
    let name = ShellText.quoted(COCOLayout.fileName(of: file))
    throw .notCOCO(
      file,
      problem: """
        \(all) between 0 and 1\(largest.map { ", in images of up to \($0)" } ?? ""): they are fractions of \
        the images' sizes, and COCO's boxes are pixels; nothing was imported
        make pixels of them with jq, and import the new file in place of this one:
          jq '\(Self.program)' \(name) > pixels.json
        """)
  }

  /// The program for `jq` that makes pixels of boxes, and of polygons if these are relative, too.
  static let program = """
    (.images | INDEX(.id)) as $i | .annotations[] |= ($i[.image_id | tostring] as $m | .bbox |= \
    [.[0] * $m.width, .[1] * $m.height, .[2] * $m.width, .[3] * $m.height] | if (.segmentation | type) \
    == "array" and ([.segmentation | .. | numbers] | max) <= 1.001 then .segmentation |= \
    map([range(0; length; 2) as $k | .[$k] * $m.width, .[$k + 1] * $m.height]) else . end | del(.area))
    """
}
