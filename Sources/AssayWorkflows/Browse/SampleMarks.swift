package import AssayCore

/// The annotations or predictions of one sample, as they are drawn over its image and listed beside it.
package struct SampleMarks: Sendable {
  /// The comparison of an object with the other side, in an evaluation at its IoU and score.
  package enum Result: String, Sendable {
    /// A correct detection, or an object that was found.
    case truePositive = "tp"
    case falsePositive = "fp"
    /// An object that was not found.
    case falseNegative = "fn"
    /// A detection or an object that is not counted, such as a crowd.
    case ignored
  }

  /// A box, region, line or group of points.
  package struct Object: Sendable {
    /// The annotation's ordinal, or the detection's place.
    package var id: String
    package var `class`: String
    /// The detection's score; `nil` for ground truth.
    package var score: Double?
    /// In pixels of the image.
    package var box: Box?
    package var isCrowd = false
    /// `nil` without an evaluation.
    package var result: Result?
    /// The IoU with the object or detection that it belongs to.
    package var iou: Double?
    /// x, y and visibility or score of each keypoint.
    package var keypoints: [Double] = []
    package var mask: Mask?
    /// Outlines `x0, y0, x1, y1, …` in pixels of the image; empty for other shapes.
    package var polygons: [[Double]] = []
    /// True if ``polygons`` are lines, which have no inside.
    package var isOpen = false
    /// Further fields as one JSON object; `nil` if there are none.
    package var attributes: String?
  }

  /// The only label, or the predicted one.
  package var label: String?
  /// The labels of a multi-label dataset, or labels beside regions; `nil` for others.
  package var labels: [String]?
  /// The confidence of ``label``.
  package var score: Double?
  /// True if the predicted labels are those of the ground truth; `nil` if there is none.
  package var isCorrect: Bool?
  package var objects: [Object] = []
  /// The predicted region of each class.
  package var regions: [(class: String, mask: Mask)] = []

  package init() {}
}

extension Mask {
  /// The mask in a smaller image of the same proportions: each pixel is that of the original at its center.
  ///
  /// - Parameter side: the maximum length of the longer side, in pixels.
  package func reduced(to side: Int) -> Mask {
    let longest = max(size.width, size.height)
    guard longest > side, side > 0 else { return self }
    let width = max(1, size.width * side / longest)
    let height = max(1, size.height * side / longest)
    guard let small = ImageSize.checked(width: width, height: height) else { return self }
    // The end of each run, in the order of the pixels, column by column.
    var ends: [Int] = []
    ends.reserveCapacity(runs.count)
    var end = 0
    for run in runs {
      end += Int(run)
      ends.append(end)
    }
    var lengths: [UInt32] = []
    var isInside = false
    var length: UInt32 = 0
    for column in 0..<width {
      let first = min(size.width - 1, (2 * column + 1) * size.width / (2 * width)) * size.height
      // The first run that ends behind the column's start.
      var run = ends.partitionPoint { $0 <= first }
      for row in 0..<height {
        let place = first + min(size.height - 1, (2 * row + 1) * size.height / (2 * height))
        while run < ends.count, ends[run] <= place { run += 1 }
        if (run % 2 == 1) == isInside {
          length += 1
        } else {
          lengths.append(length)
          isInside.toggle()
          length = 1
        }
      }
    }
    lengths.append(length)
    return (try? Mask(size: small, runs: lengths)) ?? self
  }
}

extension [Int] {
  /// The first index whose element does not satisfy a condition that holds only for a beginning of the array.
  fileprivate func partitionPoint(_ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
