import AssayCore
import AssayFormats

/// Annotations of Pascal VOC as text.
enum VOCText {
  static func object(
    _ name: String, _ xmin: Int, _ ymin: Int, _ xmax: Int, _ ymax: Int, more: String = ""
  ) -> String {
    "<object><name>\(name)</name><bndbox><xmin>\(xmin)</xmin><ymin>\(ymin)</ymin>"
      + "<xmax>\(xmax)</xmax><ymax>\(ymax)</ymax></bndbox>\(more)</object>"
  }

  /// An annotation with one line per object, the first of them line 3.
  static func annotation(
    file: String? = nil, size: (Int, Int)? = (3, 2), objects: [String]
  ) -> String {
    let name = file.map { "<filename>\($0)</filename>" } ?? ""
    let area = size.map { "<size><width>\($0.0)</width><height>\($0.1)</height></size>" } ?? ""
    return "<annotation>\n\(name)\(area)<segmented>0</segmented>\n"
      + objects.map { $0 + "\n" }.joined() + "</annotation>\n"
  }
}

extension MemoryTree {
  /// A folder of texts; `nil` is a PNG of 3×2 pixels.
  init(texts: [String: String?]) {
    self.init(folder: texts.mapValues { $0.map { Array($0.utf8) } ?? DatasetLayout.png })
  }

  /// An image of 3×2 pixels and the objects of its annotation, from line 3 on.
  init(voc objects: [String], size: (Int, Int)? = (3, 2)) {
    self.init(texts: [
      "a.png": String?.none, "a.xml": VOCText.annotation(size: size, objects: objects),
    ])
  }
}

enum VOCNames {
  /// The classes of the challenges.
  static let classes = [
    "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow",
    "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train",
    "tvmonitor",
  ]
}
