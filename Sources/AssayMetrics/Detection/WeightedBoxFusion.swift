package import AssayCore

/// Weighted box fusion: the boxes of several detectors for one image become one list, and boxes of
/// one class that overlap become their mean, weighted by score.
///
/// Source: R. Solovyev, W. Wang, T. Gabruseva, "Weighted boxes fusion" (2021),
/// doi:10.1016/j.imavis.2021.104117, as `weighted_boxes_fusion` of ensemble-boxes 1.0.9 computes it
/// with `conf_type` `avg` or `max`. That rounds merged boxes to 32 bits; here all is in 64.
package struct WeightedBoxFusion: Sendable, Hashable {
  /// The score of a merged box. The raw value is the spelling after `--fused-score`.
  package enum Score: String, CaseIterable, Sendable {
    /// The weighted mean, times the number of boxes (at most of detectors), over the sum of the
    /// weights: a box that few detectors found gets a lower score.
    case mean
    /// The largest weighted score over the largest weight.
    case max
  }

  /// A box of one detector, or a merged one.
  package struct Item: Sendable, Hashable {
    package var `class`: Int
    package var score: Double
    /// In pixels.
    package var box: Box

    package init(class: Int, score: Double, box: Box) {
      self.class = `class`
      self.score = score
      self.box = box
    }
  }

  /// The weight of each detector, above 0.
  package var weights: [Double]
  /// The overlap above which boxes are merged, in 0...1.
  package var iou: Double
  /// The minimum score of a box.
  package var leastScore: Double
  package var score: Score

  package init(
    weights: [Double], iou: Double = 0.55, leastScore: Double = 0, score: Score = .mean
  ) {
    self.weights = weights
    self.iou = iou
    self.leastScore = leastScore
    self.score = score
  }

  /// A box with its corners.
  private struct Corners {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    init(_ box: Box, within size: ImageSize) {
      let (width, height) = (Double(size.width), Double(size.height))
      left = min(Swift.max(box.x, 0), width)
      top = min(Swift.max(box.y, 0), height)
      right = min(Swift.max(box.x + box.width, 0), width)
      bottom = min(Swift.max(box.y + box.height, 0), height)
    }

    var area: Double { (right - left) * (bottom - top) }

    func overlap(_ other: Corners) -> Double {
      let width = Swift.max(min(right, other.right) - Swift.max(left, other.left), 0)
      let height = Swift.max(min(bottom, other.bottom) - Swift.max(top, other.top), 0)
      let shared = width * height
      return shared / (area + other.area - shared)
    }
  }

  /// Boxes that are merged so far.
  private struct Cluster {
    /// The sums of the corners times the scores, and of the scores.
    private var left = 0.0
    private var top = 0.0
    private var right = 0.0
    private var bottom = 0.0
    private var sum = 0.0
    private(set) var largest = 0.0
    private(set) var count = 0
    private(set) var corners: Corners

    init(_ corners: Corners, score: Double) {
      self.corners = corners
      add(corners, score: score)
      self.corners = corners
    }

    /// The mean score.
    var mean: Double { sum / Double(count) }

    mutating func add(_ box: Corners, score: Double) {
      left += score * box.left
      top += score * box.top
      right += score * box.right
      bottom += score * box.bottom
      sum += score
      largest = Swift.max(largest, score)
      count += 1
      guard sum > 0 else { return }
      corners.left = left / sum
      corners.top = top / sum
      corners.right = right / sum
      corners.bottom = bottom / sum
    }
  }

  /// The merged boxes of an image, highest score first; equal scores by class, then in the order in
  /// which they appear.
  ///
  /// Boxes are clipped to the image; those without area are left out.
  ///
  /// - Parameter lists: one list per weight.
  /// - Complexity: O(*n*²) for *n* boxes of a class.
  package func fused(_ lists: [[Item]], within size: ImageSize) -> [Item] {
    var classes: [Int: [(corners: Corners, score: Double)]] = [:]
    for (list, weight) in zip(lists, weights) {
      for item in list where item.score >= leastScore {
        let corners = Corners(item.box, within: size)
        guard corners.area > 0 else { continue }
        classes[item.class, default: []].append((corners, item.score * weight))
      }
    }
    let total = weights.reduce(0, +)
    let heaviest = weights.max() ?? 1
    var fused: [Item] = []
    for (number, boxes) in classes.sorted(by: { $0.key < $1.key }) {
      let order = boxes.indices.sorted {
        boxes[$0].score == boxes[$1].score ? $0 < $1 : boxes[$0].score > boxes[$1].score
      }
      var clusters: [Cluster] = []
      for index in order {
        let (corners, score) = boxes[index]
        var (best, place) = (iou, -1)
        for (number, cluster) in clusters.enumerated() {
          let overlap = cluster.corners.overlap(corners)
          if overlap > best { (best, place) = (overlap, number) }
        }
        if place >= 0 {
          clusters[place].add(corners, score: score)
        } else {
          clusters.append(Cluster(corners, score: score))
        }
      }
      for cluster in clusters {
        let value =
          switch score {
          case .mean:
            cluster.mean * Double(min(weights.count, cluster.count)) / total
          case .max: cluster.largest / heaviest
          }
        let corners = cluster.corners
        fused.append(
          Item(
            class: number, score: value,
            box: Box(
              x: corners.left, y: corners.top, width: corners.right - corners.left,
              height: corners.bottom - corners.top)))
      }
    }
    let order = fused.indices.sorted {
      fused[$0].score == fused[$1].score ? $0 < $1 : fused[$0].score > fused[$1].score
    }
    return order.map { fused[$0] }
  }
}
