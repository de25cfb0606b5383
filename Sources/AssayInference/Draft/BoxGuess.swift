import AssayCore

/// The layout of boxes guessed from the shapes of outputs: as many rows as an image of that size
/// has cells at the usual strides, or a table with four columns next to one with scores.
struct BoxGuess {
  /// The outputs, by index.
  enum Outputs: Equatable {
    case one(Int)
    case two(boxes: Int, scores: Int)
    /// Boxes that the model chose itself, their scores (`nil` if they follow the box), the numbers of
    /// their classes (`nil` if they are of the only one), and how many there are.
    case chosen(boxes: Int, scores: Int?, labels: Int?, count: Int?)
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

  /// True if chosen boxes have no class numbers.
  var hasOneClass = false
  /// True if a chosen box's row begins with the image.
  var hasImageFirst = false
  /// True if the rows of one image come without a batch dimension.
  var isOfOneImage = false
  /// The output with a grid of probabilities for each chosen box, by index; `nil` for none.
  var masks: Int?
  /// The part of the input that each grid fills, by its size.
  var maskFrame = MaskFrame.box
  /// The output with the keypoints of each chosen box, and their form; `nil` for none.
  var keypoints: (output: Int, form: KeypointForm)?
  /// The number of values of each box that are neither its numbers nor scores.
  var extra = 0

  /// - Parameters:
  ///   - input: the size of the model's input, if it is known.
  ///   - metadata: the facts that the file states.
  ///   - isBatched: false if the model takes one image without a batch dimension.
  ///   - batch: the number of images that the model takes; `nil` if any.
  init?(
    _ outputs: [TensorSignature], input: (width: Int, height: Int)?,
    metadata: ModelMetadata = ModelMetadata(), isBatched: Bool = true, batch: Int? = nil
  ) {
    let extra = metadata.extraValues
    if let guess = Self.stated(outputs, metadata) {
      self = guess
      return
    }
    // torchvision's detectors give the boxes of one image, also if their input has a batch dimension.
    if let guess = Self.chosen(outputs, isBatched, input) ?? Self.chosen(outputs, false, input) {
      self = guess
      return
    }
    // Scores alone have as many rows as a grid has cells, too.
    if let guess = Self.pair(outputs) {
      self = guess
    } else if let input, let guess = Self.single(outputs, input, extra) {
      self = guess
    } else if let guess = Self.final(outputs, extra) ?? Self.table(outputs, batch: batch) {
      self = guess
    } else {
      return nil
    }
  }

  /// Boxes with as many values as the names that Ultralytics' exporter wrote, whatever their number: of YOLO
  /// models one column per box, of older RT-DETR models one row.
  private static func stated(
    _ outputs: [TensorSignature], _ metadata: ModelMetadata
  ) -> BoxGuess? {
    guard metadata.statesObjects, !metadata.names.isEmpty else { return nil }
    let width = 4 + metadata.names.count + metadata.extraValues
    // With two names a row can also be a box that the model chose, its score and its class.
    let allowsRows = metadata.isRTDETR && width != 6
    for (place, output) in outputs.enumerated() {
      let lengths = Self.lengths(output)
      guard lengths.count == 2, lengths[0] == width || allowsRows && lengths[1] == width else {
        continue
      }
      var guess = BoxGuess(
        .one(place), classes: metadata.names.count, isByColumns: lengths[0] == width)
      guess.extra = metadata.extraValues
      return guess
    }
    return nil
  }

  /// A few rows of four numbers, a score and a class; of seven values; or as many as the model finds of four numbers
  /// and a score.
  private static func final(_ outputs: [TensorSignature], _ extra: Int) -> BoxGuess? {
    guard let place = outputs.firstIndex(where: { Self.lengths($0).count == 2 }) else { return nil }
    let lengths = Self.lengths(outputs[place])
    for width in extra > 0 ? [6 + extra] : [6, 7, 5] {
      let isByRows = lengths[1] == width
      guard isByRows || lengths[0] == width else { continue }
      // As many as the model finds, in rows; or a number of them.
      let rows = isByRows ? lengths[0] : lengths[1]
      guard rows.map({ width != 5 && (10...3_000).contains($0) }) ?? isByRows else { continue }
      var guess = BoxGuess(.one(place), classes: 1, isFinal: true)
      guess.hasImageFirst = width == 7 && extra == 0
      guess.hasOneClass = width == 5
      guess.extra = extra
      return guess
    }
    return nil
  }

  /// Rows of six or seven values without a batch dimension, `[boxes, 6]`: of a model for one image whose number of boxes
  /// is open, or beside an output with their number.
  private static func table(_ outputs: [TensorSignature], batch: Int?) -> BoxGuess? {
    for (place, output) in outputs.enumerated() where !output.isInteger {
      guard let shape = output.shape, shape.count == 2, let width = shape[1],
        width == 6 || width == 7
      else { continue }
      let hasCount = outputs.enumerated().contains { other, found in
        other != place && found.isInteger && (found.shape ?? [nil, nil]).count < 2
      }
      guard shape[0] == nil && batch == 1 || hasCount || (shape[0] ?? 0) > 64 && batch == 1 else {
        continue
      }
      var guess = BoxGuess(.one(place), classes: 1, isFinal: true)
      guess.hasImageFirst = width == 7
      guess.isOfOneImage = true
      return guess
    }
    return nil
  }

  /// Boxes, their scores and the numbers of their classes in outputs of their own, told apart by their
  /// shapes, element types and names.
  private static func chosen(
    _ outputs: [TensorSignature], _ isBatched: Bool, _ input: (width: Int, height: Int)?
  ) -> BoxGuess? {
    guard outputs.count >= 2 else { return nil }
    let lengths = outputs.map { output in
      var lengths = Array((output.shape ?? []).dropFirst(isBatched ? 1 : 0))
      while lengths.count > 1, lengths.last == 1 { lengths.removeLast() }
      return lengths
    }
    guard
      let boxes = lengths.firstIndex(where: {
        $0.count == 2 && ($0[1] == 4 || $0[1] == 5) && $0[0] ?? 2 > 1 && $0[0] ?? 0 <= 10_000
      })
    else { return nil }
    let lists = outputs.indices.filter {
      $0 != boxes && lengths[$0].count == 1 && lengths[$0][0] == lengths[boxes][0]
    }
    func isNamed(_ place: Int, _ words: [String]) -> Bool {
      words.contains { outputs[place].name.lowercased().contains($0) }
    }
    let labels =
      lists.first { outputs[$0].isInteger } ?? lists.first { isNamed($0, ["class", "label"]) }
    let scores = lists.first { $0 != labels && !outputs[$0].isInteger }
    guard (scores == nil) == (lengths[boxes][1] == 5) else { return nil }
    let count = outputs.indices.first {
      lengths[$0].allSatisfy { $0 == 1 } && isNamed($0, ["num", "count"])
    }
    var guess = BoxGuess(
      .chosen(boxes: boxes, scores: scores, labels: labels, count: count), classes: 1,
      isFinal: true)
    guess.addParts(outputs, input, isBatched)
    guess.hasOneClass = labels == nil
    // Without numbers of classes, any two outputs could be boxes and scores, unless there are keypoints.
    return labels == nil && (scores != nil || guess.keypoints == nil) ? nil : guess
  }

  /// Adds the masks and keypoints of chosen boxes, told apart by their shapes.
  private mutating func addParts(
    _ outputs: [TensorSignature], _ input: (width: Int, height: Int)?, _ isBatched: Bool
  ) {
    guard case .chosen(let boxes, let scores, let labels, let count) = self.outputs else { return }
    let taken = [boxes, scores, labels, count]
    func lengths(_ place: Int) -> [Int?] {
      Array((outputs[place].shape ?? []).dropFirst(isBatched ? 1 : 0))
    }
    let rows = lengths(boxes).first
    for place in outputs.indices where !taken.contains(place) && !outputs[place].isInteger {
      let found = lengths(place)
      guard found.first == rows else { continue }
      let grid = found.count == 4 && found[1] ?? 1 == 1 ? found.suffix(2) : found.dropFirst()
      guard grid.count == 2, let height = grid.first, let width = grid.last else { continue }
      if let points = height, let values = width, points > 1, (2...3).contains(values) {
        keypoints = keypoints ?? (place, KeypointForm(points: points, values: values))
      } else if masks == nil, height.map({ $0 > 3 }) ?? true, width.map({ $0 > 3 }) ?? true {
        masks = place
        let isInput = input.map { height == $0.height && width == $0.width } ?? false
        maskFrame = height == nil || width == nil || isInput ? .input : .box
      }
    }
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
    _ outputs: [TensorSignature], _ input: (width: Int, height: Int), _ extra: Int
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
      if second == cells, first > 4 + extra {
        var guess = BoxGuess(.one(place), classes: first - 4 - extra, isByColumns: true)
        guess.extra = extra
        return guess
      }
    }
    return nil
  }

  /// Two outputs with the same number of rows, or both with an open number.
  private static func pair(_ outputs: [TensorSignature]) -> BoxGuess? {
    // Scores of four classes look like boxes.
    let isNamed = { (place: Int) in outputs[place].name.lowercased().contains("box") }
    for boxes in outputs.indices.filter(isNamed) + outputs.indices.filter({ !isNamed($0) }) {
      let output = outputs[boxes]
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
    if metadata.isDETR { if case .two = outputs { return !metadata.statedInput.isEmpty } }
    guard metadata.statesObjects, !metadata.names.isEmpty,
      !(metadata.isRTDETR && metadata.names.count == 2)
    else { return false }
    return isFinal && !hasOneClass
      || (isByColumns || metadata.isRTDETR) && objectness(of: metadata.names.count) == false
  }
}
