import AssayCore

/// Evidence for the form of the boxes of the first images: `x, y, width, height` in pixels, corners, or fractions of
/// the image's size. The first two can only be told apart where one of them does not fit.
struct BoxFormEvidence {
  private(set) var boxes = 0
  /// The number of boxes that lie in their image as `x, y, width, height`.
  private(set) var fittingSized = 0
  /// The number of boxes that lie in their image as corners.
  private(set) var fittingCorners = 0
  /// The number of boxes of which all numbers are from 0 to 1.
  private var relative = 0
  /// True if any number is between 0 and 1.
  private var hasFraction = false

  /// True if all boxes seem to be fractions of their image's size.
  var isRelative: Bool { boxes > 0 && relative == boxes && hasFraction }

  /// Adds the boxes of an image, as they are stated.
  mutating func add(_ list: HFObjects, in size: ImageSize) {
    for object in list.objects {
      guard let box = list.box(object, in: nil) else { continue }
      let (width, height) = (Double(size.width) + 1, Double(size.height) + 1)
      let starts = box.x >= -1 && box.y >= -1
      boxes += 1
      if starts, box.width > 0, box.height > 0, box.x + box.width <= width,
        box.y + box.height <= height
      {
        fittingSized += 1
      }
      if starts, box.width > box.x, box.height > box.y, box.width <= width, box.height <= height {
        fittingCorners += 1
      }
      let numbers = [box.x, box.y, box.width, box.height]
      if numbers.allSatisfy({ (0...1).contains($0) }) { relative += 1 }
      hasFraction = hasFraction || numbers.contains { $0 > 0 && $0 < 1 }
    }
  }
}

extension HFLayout {
  /// The number of images whose boxes are looked at.
  private static let checked = 128

  /// The reason why the boxes of the first images are not `x, y, width, height` in pixels, one clause; `nil` if they
  /// can be.
  func boxProblem(in tree: any SourceTree) -> String? {
    var evidence = BoxFormEvidence()
    var seen = 0
    for item in items {
      guard seen < Self.checked else { break }
      guard let (table, record) = record(of: item),
        let objects = table.value(of: record)["objects"], let list = try? HFObjects(objects),
        !list.objects.isEmpty
      else { continue }
      seen += 1
      let file = SourceFile(path: path(of: item), size: 0, modified: 0)
      guard case .success(let size) = ImageProbe(tree, file).size else { continue }
      evidence.add(list, in: size)
    }
    let rule = "“bbox” of an image folder is x, y, width, height in pixels"
    if evidence.isRelative {
      return
        "all numbers of the boxes in the first images are from 0 to 1, so that they are probably relative to the size "
        + "of the image; \(rule): multiply them by the width and height of their image"
    }
    if evidence.fittingSized < evidence.boxes, evidence.fittingCorners == evidence.boxes {
      return
        "\(evidence.boxes - evidence.fittingSized) of the first \(evidence.boxes) boxes leave their image as x, y, "
        + "width, height, and all fit as corners; \(rule): subtract the first two numbers from the others"
    }
    return nil
  }
}
