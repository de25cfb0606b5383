import AssayCore
import Foundation

/// The scores of a sample's boxes: a class's probability, multiplied by the objectness if the model
/// has one.
struct BoxScores: BoxScoring {
  let layout: BoxTensorLayout
  let activation: Activation
  /// A flag per class: true for all but the background.
  let isForeground: [Bool]

  /// The tolerance by which a probability can be outside 0...1, and a sum of them differ from 1.
  static let tolerance: Float = 1e-5
  private static let sumTolerance: Float = 1e-3
  private static let manyScores = 256

  func check(
    _ outputs: UnsafeBufferPointer<Float>, least: Float, sample: String
  ) throws(InferenceError) {
    guard activation == .none, !areInRange(outputs) else { return }
    let (low, high) = range(outputs)
    throw .scoresOutOfRange(sample: sample, low: low, high: high, activation: activation)
  }

  /// The best candidates with at least the minimum score, in descending order.
  func candidates(
    _ outputs: UnsafeBufferPointer<Float>, least: Float, bestClassOnly: Bool
  ) -> [BoxCandidate] {
    var found = BoxCandidates(least: least)
    let columns = layout.scores
    let floor = rawFloor(least)
    let scale = { (row: Int) in activation == .softmax ? softmaxScale(row, outputs) : nil }
    if columns.column == 1 || activation == .softmax {
      for row in 0..<layout.rows {
        let object = objectness(row, outputs)
        // A class's probability is at most 1, except for rounding.
        guard object * (1 + Self.tolerance) >= found.least else { continue }
        let scale = scale(row)
        let start = columns.place(row, 0)
        for ordinal in 0..<layout.classes {
          let raw = outputs[start &+ ordinal &* columns.column]
          guard raw >= floor else { continue }
          add(probability(raw, scale) * object, row, ordinal, to: &found)
        }
      }
    } else {
      // The rows of a class are contiguous.
      for ordinal in 0..<layout.classes {
        let start = columns.place(0, ordinal)
        for row in 0..<layout.rows {
          let raw = outputs[start &+ row]
          guard raw >= floor else { continue }
          add(probability(raw, nil) * objectness(row, outputs), row, ordinal, to: &found)
        }
      }
    }
    if bestClassOnly { found.keepBestClasses() }
    return found.ranked()
  }

  /// A row's scores of at least `least`, highest first, ties by class.
  func scores(
    ofRow row: Int, _ outputs: UnsafeBufferPointer<Float>, least: Float
  ) -> [Detection.ClassScore] {
    let object = objectness(row, outputs)
    let floor = rawFloor(least)
    let scale = activation == .softmax ? softmaxScale(row, outputs) : nil
    var scores: [Detection.ClassScore] = []
    for ordinal in 0..<layout.classes where isForeground[ordinal] {
      let raw = outputs[layout.scores.place(row, ordinal)]
      guard raw >= floor else { continue }
      let score = probability(raw, scale) * object
      if score >= least { scores.append(Detection.ClassScore(class: ordinal, score: score)) }
    }
    scores.sort { ($1.score, $0.class) < ($0.score, $1.class) }
    return scores
  }

  /// The minimum and maximum of all values that the activation converts to probabilities.
  func range(_ outputs: UnsafeBufferPointer<Float>) -> (low: Float, high: Float) {
    var (low, high) = (Float(0), Float(0))
    forEachBlock { start, step, count in
      for index in 0..<count {
        let value = outputs[start &+ index &* step]
        low = value < low ? value : low
        high = value > high ? value : high
      }
    }
    return (low, high)
  }

  /// Returns whether all values are in 0...1, except for rounding: in one pass without a branch.
  func areInRange(_ outputs: UnsafeBufferPointer<Float>) -> Bool {
    var most = UInt32(0)
    forEachBlock { start, step, count in
      if step == 1 {
        let block = UnsafeBufferPointer(rebasing: outputs[start..<start + count])
        for value in block { most = max(most, value.bitPattern) }
      } else {
        for index in 0..<count { most = max(most, outputs[start &+ index &* step].bitPattern) }
      }
    }
    // The bit patterns of nonnegative numbers grow with the numbers; those of negative ones are
    // larger than all of these.
    if most <= (1 + Self.tolerance).bitPattern { return true }
    let (low, high) = range(outputs)
    return low >= -Self.tolerance && high <= 1 + Self.tolerance
  }

  /// Returns whether all values are already probabilities before any activation.
  func areProbabilities(_ outputs: UnsafeBufferPointer<Float>) -> Bool {
    let (low, high) = range(outputs)
    guard low >= 0, high <= 1 else { return false }
    // So many logits are not all in that range; scores of classes that exclude nothing sum to anything.
    if activation != .softmax || layout.rows * layout.classes >= Self.manyScores { return true }
    return (0..<layout.rows).allSatisfy { row in
      let sum = (0..<layout.classes).reduce(Float(0)) {
        $0 + outputs[layout.scores.place(row, $1)]
      }
      return abs(sum - 1) <= Self.sumTolerance
    }
  }

  private func add(
    _ score: Float, _ row: Int, _ ordinal: Int, to found: inout BoxCandidates
  ) {
    guard score >= found.least, isForeground[ordinal] else { return }
    found.add(score, row: row, class: ordinal)
  }

  /// The largest value of a row, for a softmax that does not overflow.
  private struct SoftmaxScale {
    var largest: Double
    /// The sum of exp(value − largest).
    var sum: Double
  }

  private func softmaxScale(
    _ row: Int, _ outputs: UnsafeBufferPointer<Float>
  ) -> SoftmaxScale? {
    let values = (0..<layout.classes).lazy.map { Double(outputs[layout.scores.place(row, $0)]) }
    let largest = values.reduce(-.infinity) { max($0, $1) }
    return SoftmaxScale(
      largest: largest, sum: values.reduce(0) { $0 + exp($1 - largest) })
  }

  private func probability(_ raw: Float, _ scale: SoftmaxScale?) -> Float {
    switch activation {
    case .none, .sigmoidInModel: return raw
    case .sigmoid: return Self.sigmoid(raw)
    case .softmax:
      guard let scale else { return 0 }
      return Float(exp(Double(raw) - scale.largest) / scale.sum)
    }
  }

  private func objectness(_ row: Int, _ outputs: UnsafeBufferPointer<Float>) -> Float {
    guard let columns = layout.objectness else { return 1 }
    let raw = outputs[columns.place(row, 0)]
    return activation == .none ? raw : Self.sigmoid(raw)
  }

  private static func sigmoid(_ value: Float) -> Float { Float(1 / (1 + exp(-Double(value)))) }

  /// A lower bound of the raw values with at least that score: it avoids most of the exponentials.
  private func rawFloor(_ least: Float) -> Float {
    switch activation {
    case .none, .sigmoidInModel: return least * (1 - Self.tolerance)
    case .sigmoid:
      let least = Double(least) * (1 - Double(Self.tolerance))
      return Float(log(least / (1 - least))) - 1e-3
    case .softmax: return -.infinity
    }
  }

  /// Visits the values that are scores or objectnesses, in blocks.
  private func forEachBlock(_ body: (_ start: Int, _ step: Int, _ count: Int) -> Void) {
    let blocks: [(BoxTensorLayout.Columns?, Int)] = [
      (layout.scores, layout.classes), (layout.objectness, 1),
    ]
    for case (let columns?, let width) in blocks {
      if columns.column == 1, width > 1 {
        for row in 0..<layout.rows { body(columns.place(row, 0), 1, width) }
      } else {
        for column in 0..<width { body(columns.place(0, column), columns.row, layout.rows) }
      }
    }
  }
}
