import AssayCore

/// An indication that boxes do not have the order or the units that the manifest specifies.
package enum BoxAnomaly: Hashable, Sendable {
  /// All boxes are within a pixel or two.
  case looksRelative
  /// Most boxes extend many times beyond the image.
  case looksLikePixels
  /// Most boxes have a right edge left of the left one, or a tenth of them a width or height below 0.
  case turnedRound
}

/// Counts the anomalies among the boxes of the first samples of a run.
struct BoxAnomalies {
  let order: BoxOrder
  let units: BoxUnits
  private var count = 0
  private var largest = -1.0
  private var outermost: [Float] = []
  private var beyond: [Float]?
  private var beyondCount = 0
  private let input: ImageSize
  private var outside: [Float]?
  private var outsideCount = 0
  private var turned: [Float]?
  private var turnedCount = 0

  /// - Parameter input: the size of the model's input.
  init(order: BoxOrder, units: BoxUnits, input: ImageSize) {
    self.input = input
    self.order = order
    self.units = units
  }

  /// The share of an input's side by which boxes rarely extend beyond it.
  private static let margin = 0.1

  /// Checks a box.
  ///
  /// - Parameters:
  ///   - box: the four values as output by the model.
  ///   - edges: the same as edges in the input's pixels.
  mutating func add(_ box: (Double, Double, Double, Double), _ edges: BoxEdges) {
    let (width, height) = (Double(input.width), Double(input.height))
    let (beside, below) = (Self.margin * width, Self.margin * height)
    if edges.left < -beside || edges.right > width + beside || edges.top < -below
      || edges.bottom > height + below
    {
      outsideCount += 1
      outside = outside ?? [box.0, box.1, box.2, box.3].map(Float.init)
    }
    let values = [box.0, box.1, box.2, box.3]
    let most = values.reduce(0) { max($0, abs($1)) }
    count += 1
    if most > largest { (largest, outermost) = (most, values.map(Float.init)) }
    if most > 4 {
      beyondCount += 1
      beyond = beyond ?? values.map(Float.init)
    }
    let size = [.xyxy, .yxyx].contains(order) ? (box.2 - box.0, box.3 - box.1) : (box.2, box.3)
    if size.0 < 0 || size.1 < 0 {
      turnedCount += 1
      turned = turned ?? values.map(Float.init)
    }
  }

  /// The minimum number of boxes from which a remark is concluded.
  private static let leastCount = 10

  /// A remark if more than a fifth of the boxes extend beyond the image by more than a tenth, as they do
  /// if their order is another one; `nil` otherwise. It is no error: such boxes exist.
  ///
  /// Of YOLOX-nano on 40 photographs of COCO no box does; read in a wrong order, 27 to 76 % do.
  var remark: String? {
    guard let outside, count >= Self.leastCount, 5 * outsideCount > count else { return nil }
    return
      "\(100 * outsideCount / count) % of the boxes of the first samples extend beyond the image by more than"
      + " a tenth of it (for example \(InferenceError.values(outside))); if the scores are poor, check “box-order:”"
      + " (now \(order.rawValue)) in the manifest"
  }

  /// The most frequent anomaly with an example; `nil` for none.
  var strongest: (doubt: BoxAnomaly, values: [Float])? {
    guard count > 0 else { return nil }
    // Edges of a few bad boxes can be exchanged; decoded widths of found objects are not negative.
    let most = [.xyxy, .yxyx].contains(order) ? 2 : 10
    if let turned, most * turnedCount > count { return (.turnedRound, turned) }
    switch units {
    case .pixels: return largest <= 2 ? (.looksRelative, outermost) : nil
    case .relative:
      guard let beyond, 2 * beyondCount > count else { return nil }
      return (.looksLikePixels, beyond)
    }
  }
}
