import AssayCore
import Foundation

/// The layout of the keypoints of the one object that a model finds in each image.
///
/// They are read as one chosen box: the box around the keypoints, in pixels of the model's input, with a score and
/// the first class.
struct PoseLayout: Hashable, Sendable {
  /// The rule that the layout belongs to.
  private let rule: PoseRule
  private let input: ImageSize
  /// True if a sigmoid is applied to the keypoints' scores.
  private let isRaw: Bool
  /// The size of a heat map, and the distances between two maps, rows and columns; `nil` for values.
  private let maps: Maps?

  private struct Maps: Hashable, Sendable {
    let width: Int
    let height: Int
    let map: Int
    let row: Int
    let column: Int
  }

  /// The number of values per sample, for each output that is read.
  let counts: [Int]
  /// The number of values of the row: the box, its score, its class, and the keypoints.
  var rowWidth: Int { 6 + rule.kept.count }

  /// The maximum distance of a heat map's highest value from the range of probabilities. Maps are trained to have a
  /// maximum of 1, which networks exceed a little.
  private static let tolerance: Float = 0.5

  /// Derives the layout from the outputs' shapes.
  ///
  /// - Parameters:
  ///   - outputs: those of ``PoseRule/names``.
  ///   - isBatched: false if the model takes one image without a batch dimension.
  /// - Throws: ``InferenceError/poseShape(_:model:)``.
  init(
    of outputs: [TensorSignature], _ rule: PoseRule, input: ImageSize, activation: Activation,
    isBatched: Bool
  ) throws(InferenceError) {
    self.rule = rule
    self.input = input
    isRaw = activation == .sigmoid
    let refusal = InferenceError.poseShape(rule, model: outputs)
    let shapes = try outputs.map { output throws(InferenceError) in
      let lengths = Array((output.shape ?? [nil]).dropFirst(isBatched ? 1 : 0))
      let known = lengths.compactMap(\.self)
      guard known.count == lengths.count, known.allSatisfy({ $0 > 0 }) else { throw refusal }
      return known
    }
    guard shapes.count == rule.names.count else { throw refusal }
    if shapes.count == 2, !shapes[1].allSatisfy({ $0 == 1 }) { throw refusal }
    let count: Int
    switch rule.source {
    case .points:
      maps = nil
      count = rule.form.count
      var lengths = shapes[0]
      while lengths.count > 1, let place = lengths.firstIndex(of: 1) { lengths.remove(at: place) }
      let forms = [[count], [rule.form.points, rule.form.values]]
      guard forms.contains(lengths) || forms.contains(shapes[0]) else { throw refusal }
    case .heatMaps:
      let lengths = shapes[0]
      guard lengths.count == 3 else { throw refusal }
      let isFirst = lengths[0] == rule.form.points
      guard isFirst != (lengths[2] == rule.form.points) else { throw refusal }
      let (height, width) = isFirst ? (lengths[1], lengths[2]) : (lengths[0], lengths[1])
      guard let size = ImageSize.checked(width: width, height: height),
        size.area <= BoxTensorLayout.limit / rule.form.points
      else { throw refusal }
      let points = rule.form.points
      maps =
        isFirst
        ? Maps(width: width, height: height, map: size.area, row: width, column: 1)
        : Maps(width: width, height: height, map: 1, row: width * points, column: points)
      count = size.area * points
    }
    counts = shapes.count == 2 ? [count, 1] : [count]
  }

  /// The row of the object: left, top, right and bottom edge of the box around its keypoints, its score, its class 0,
  /// and x, y and score of each keypoint.
  ///
  /// - Throws: ``InferenceError/keypointScore(sample:value:activation:)``,
  ///   ``InferenceError/objectScore(sample:value:)``.
  func row(of outputs: [Float], sample: String) throws(InferenceError) -> [Float] {
    var points: [Float] = []
    for index in rule.order {
      let (x, y, value) = point(index, outputs)
      let score = isRaw ? Float(1 / (1 + exp(-Double(value)))) : value
      guard score >= -Self.tolerance, score <= 1 + Self.tolerance else {
        throw .keypointScore(sample: sample, value: value)
      }
      points += [x, y, score]
    }
    let xs = stride(from: 0, to: points.count, by: 3).map { points[$0] }
    let ys = stride(from: 1, to: points.count, by: 3).map { points[$0] }
    let score: Float
    if rule.scoreOutput != nil {
      let value = outputs[counts[0]]
      score =
        switch rule.scoreActivation {
        case .none: value
        case .sigmoid: Float(1 / (1 + exp(-Double(value))))
        }
      guard score >= -BoxScores.tolerance, score <= 1 + BoxScores.tolerance else {
        throw .objectScore(sample: sample, value: score)
      }
    } else {
      let sum = stride(from: 2, to: points.count, by: 3).reduce(0.0) { $0 + Double(points[$1]) }
      score = Float(min(max(sum / Double(rule.order.count), 0), 1))
    }
    return [xs.min() ?? 0, ys.min() ?? 0, xs.max() ?? 0, ys.max() ?? 0, score, 0] + points
  }

  /// The coordinates of the keypoints that are kept as the model gives them; empty for heat maps.
  func coordinates(_ outputs: [Float]) -> [Float] {
    guard case .points = rule.source else { return [] }
    return rule.order.flatMap {
      let first = $0 * rule.form.values
      return [outputs[first], outputs[first + 1]]
    }
  }

  /// The value of the object's score before ``PoseRule/scoreActivation``; `nil` if that is none.
  func rawScore(_ outputs: [Float]) -> Float? {
    rule.scoreOutput == nil || rule.scoreActivation == .none ? nil : outputs[counts[0]]
  }

  /// Returns whether the values that a sigmoid is applied to are from 0 to 1 already.
  func areProbabilities(_ outputs: [Float]) -> Bool {
    rule.order.allSatisfy { (0...1).contains(point($0, outputs).value) }
  }

  /// The place of a keypoint in pixels of the model's input, and its value before a sigmoid.
  private func point(_ index: Int, _ outputs: [Float]) -> (x: Float, y: Float, value: Float) {
    switch rule.source {
    case .heatMaps(let decode):
      guard let maps else { return (0, 0, 0) }
      return peak(maps, index * maps.map, decode, outputs)
    case .points(let units):
      let first = index * rule.form.values
      let isTurned = rule.axes == .yx
      let scale =
        units == .relative ? (Float(input.width), Float(input.height)) : (Float(1), Float(1))
      // Behind x and y the score, or the depth and the score.
      let value: Float =
        switch rule.form.values {
        case 2: isRaw ? .infinity : 1
        case 3 where rule.hasDepth: isRaw ? .infinity : 1
        case 3: outputs[first + 2]
        default: outputs[first + 3]
        }
      return (
        outputs[first + (isTurned ? 1 : 0)] * scale.0,
        outputs[first + (isTurned ? 0 : 1)] * scale.1,
        value
      )
    }
  }

  /// The highest cell of a map, in the input's pixels; (−1, −1) cells if nothing is above 0 without a sigmoid.
  ///
  /// Source: `get_heatmap_maximum`, `refine_keypoints` and `MSRAHeatmap.decode` of MMPose 1.3.2, after B. Xiao, H. Wu,
  /// Y. Wei, "Simple Baselines for Human Pose Estimation and Tracking" (2018): a cell stands for input / map pixels.
  private func peak(
    _ maps: Maps, _ start: Int, _ decode: PoseRule.Decode, _ outputs: [Float]
  ) -> (x: Float, y: Float, value: Float) {
    let value = { (x: Int, y: Int) in outputs[start + y * maps.row + x * maps.column] }
    var best = (x: 0, y: 0, value: -Float.infinity)
    for y in 0..<maps.height {
      for x in 0..<maps.width where value(x, y) > best.value { best = (x, y, value(x, y)) }
    }
    var (x, y) = (Float(best.x), Float(best.y))
    if best.value <= 0, !isRaw { (x, y) = (-1, -1) }
    if decode == .quarter, x >= 0 {
      // The first cells have no shift on their own axis, and none of both on the other one.
      func shift(_ place: Int, _ length: Int, _ other: Int, _ last: Int, _ difference: () -> Float)
        -> Float
      {
        guard place > 1, place < length - 1, other > 0, other < last else { return 0 }
        let difference = difference()
        return difference == 0 ? 0 : difference > 0 ? 0.25 : -0.25
      }
      let (column, row) = (best.x, best.y)
      x += shift(column, maps.width, row, maps.height) {
        value(column + 1, row) - value(column - 1, row)
      }
      y += shift(row, maps.height, column, maps.width) {
        value(column, row + 1) - value(column, row - 1)
      }
    }
    return (
      x * Float(input.width) / Float(maps.width), y * Float(input.height) / Float(maps.height),
      best.value
    )
  }
}
