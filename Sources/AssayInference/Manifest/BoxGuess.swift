import AssayCore

/// The layout of boxes guessed from the shapes of outputs: as many rows as an image of that size
/// has cells at the usual strides, or a table with four columns next to one with scores.
struct BoxGuess: Equatable {
  /// The outputs, by index.
  enum Outputs: Equatable {
    case one(Int)
    case two(boxes: Int, scores: Int)
  }

  var outputs: Outputs
  var classes: Int
  /// True if the rows can be offsets from YOLOX's cells.
  var isGrid: Bool
  /// True if boxes and scores in one output are likely to have an objectness.
  var hasObjectness: Bool
  /// True if the model is likely to choose its boxes itself: each has a score and the number of its class, so
  /// that the number of classes is open.
  var isFinal: Bool
  /// True if there is one column per cell, as Ultralytics exports its models: they are trained on images
  /// with gray borders.
  var isByColumns: Bool

  init?(_ outputs: [TensorSignature], input: (width: Int, height: Int)?) {
    // Scores alone have as many rows as a grid has cells, too.
    if let guess = Self.pair(outputs) {
      self = guess
    } else if let input, let guess = Self.single(outputs, input) {
      self = guess
    } else if let guess = Self.final(outputs) {
      self = guess
    } else {
      return nil
    }
  }

  /// A few rows of four numbers, a score and a class.
  private static func final(_ outputs: [TensorSignature]) -> BoxGuess? {
    guard let place = outputs.firstIndex(where: { Self.lengths($0).count == 2 }) else { return nil }
    let lengths = Self.lengths(outputs[place])
    let rows = lengths[1] == 6 ? lengths[0] : lengths[0] == 6 ? lengths[1] : nil
    guard let rows, (10...3_000).contains(rows) else { return nil }
    return BoxGuess(.one(place), classes: 1, isFinal: true)
  }

  private init(
    _ outputs: Outputs, classes: Int, isGrid: Bool = false, hasObjectness: Bool = false,
    isByColumns: Bool = false, isFinal: Bool = false
  ) {
    self.outputs = outputs
    self.classes = classes
    self.isGrid = isGrid
    self.hasObjectness = hasObjectness
    self.isByColumns = isByColumns
    self.isFinal = isFinal
  }

  /// YOLOX has one row per cell, with an objectness; older YOLOs have three rows per cell; newer
  /// ones have one column per cell, without an objectness.
  private static func single(
    _ outputs: [TensorSignature], _ input: (width: Int, height: Int)
  ) -> BoxGuess? {
    let strides = DetectorRule.usualStrides
    guard let size = ImageSize.checked(width: input.width, height: input.height),
      strides.allSatisfy({ size.width.isMultiple(of: $0) && size.height.isMultiple(of: $0) })
    else { return nil }
    let cells = BoxGrid.cellCount(strides: strides, of: size)
    for (place, output) in outputs.enumerated() {
      let lengths = Self.lengths(output)
      guard lengths.count == 2, let first = lengths[0], let second = lengths[1] else { continue }
      if first == cells, second > 5 {
        return BoxGuess(.one(place), classes: second - 5, isGrid: true, hasObjectness: true)
      }
      if first == 3 * cells, second > 5 {
        return BoxGuess(.one(place), classes: second - 5, hasObjectness: true)
      }
      if second == cells, first > 4 {
        return BoxGuess(.one(place), classes: first - 4, isByColumns: true)
      }
    }
    return nil
  }

  /// Two outputs with the same number of rows, or both with an open number.
  private static func pair(_ outputs: [TensorSignature]) -> BoxGuess? {
    for (boxes, output) in outputs.enumerated() {
      var table = Self.lengths(output)
      guard table.count == 2 else { continue }
      if table[0] == 4, table[1] ?? .max > 4 { table.reverse() }
      guard table[1] == 4, table[0] ?? .max > 4 else { continue }
      for (scores, other) in outputs.enumerated() where scores != boxes {
        let found = Self.lengths(other)
        guard found.count == 2,
          let classes = found[0] == table[0] ? found[1] : found[1] == table[0] ? found[0] : nil
        else { continue }
        return BoxGuess(.two(boxes: boxes, scores: scores), classes: classes)
      }
    }
    return nil
  }

  /// The lengths after the batch dimension, without superfluous lengths of 1.
  private static func lengths(_ output: TensorSignature) -> [Int?] {
    var lengths = Array((output.shape ?? []).dropFirst())
    while lengths.count > 2, let place = lengths.lastIndex(of: 1) { lengths.remove(at: place) }
    return lengths
  }

  /// The objectness of boxes and scores in one output by a number of classes that is known; `nil`
  /// if it is not, or fits neither.
  func objectness(of classes: Int) -> Bool? {
    guard classes > 0, !isGrid, !isFinal, case .one = outputs else { return nil }
    let scores = self.classes + (hasObjectness ? 1 : 0)
    return classes == scores ? false : classes == scores - 1 ? true : nil
  }

  /// Returns whether the file itself states all that a draft leaves open: Ultralytics' detectors have one
  /// preprocessing and one layout without an objectness.
  func isSettled(by metadata: ModelMetadata) -> Bool {
    guard metadata.isUltralytics, metadata.task == "detect", !metadata.names.isEmpty else {
      return false
    }
    return isFinal || (isByColumns && objectness(of: metadata.names.count) == false)
  }
}
