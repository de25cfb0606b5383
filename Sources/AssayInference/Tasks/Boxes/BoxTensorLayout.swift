/// The layout of a sample's boxes and their scores in a model's outputs, which are stored one after
/// another.
package struct BoxTensorLayout: Hashable, Sendable {
  /// The positions of a box's values.
  struct Columns: Hashable, Sendable {
    let start: Int
    /// The strides between two boxes and between two values of one box.
    let row: Int
    let column: Int

    func place(_ row: Int, _ column: Int) -> Int { start + row * self.row + column * self.column }
  }

  /// The number of boxes that the model outputs per sample.
  package let rows: Int
  package let classes: Int
  /// The number of values per sample, for each output that is read.
  package let counts: [Int]
  /// True if each box has an objectness, by which its class scores are multiplied.
  package var hasObjectness: Bool { objectness != nil }
  let boxes: Columns
  let objectness: Columns?
  let scores: Columns
  /// The numbers of the classes of boxes that the model chose itself; `nil` if each class has a score.
  let labels: Columns?

  /// The maximum number of boxes, and of values, per sample.
  package static let rowLimit = 1 << 20
  package static let limit = 1 << 28

  /// The number of values per sample.
  package var count: Int { counts.reduce(0, +) }

  /// Derives the layout from the outputs' shapes, which must be completely known except for the
  /// batch size.
  ///
  /// - Parameter outputs: one output with boxes and scores, or the outputs of the boxes and of the
  ///   scores.
  /// - Throws: ``InferenceError`` for shapes that do not fit the manifest, are ambiguous, or are
  ///   open.
  init(of outputs: [TensorSignature], _ manifest: ModelManifest) throws(InferenceError) {
    for output in outputs where !Self.isKnown(output) { throw .boxCountOpen(model: output) }
    let classes = manifest.outputs.count
    let found: [BoxTensorLayout]
    switch (manifest.detector?.head, outputs.count) {
    case (.yolox(let strides), 1):
      let rows = BoxGrid.cellCount(strides: strides, of: manifest.input.size)
      found = Self.single(outputs[0], classes, objectness: [true]).filter { $0.rows == rows }
      guard !found.isEmpty else {
        throw .gridShape(
          input: manifest.input.size, strides: strides, rows: rows, values: 5 + classes,
          model: outputs[0])
      }
    case (.final, _):
      found = outputs.count == 1 ? Self.final(outputs[0], classes) : []
      guard !found.isEmpty else { throw .finalShape(model: outputs[0]) }
    case (_, 1):
      guard let hasObjectness = manifest.detector?.hasObjectness else {
        guard Self.single(outputs[0], classes, objectness: [false, true]).isEmpty else {
          throw .objectnessOpen(classes: classes, model: outputs[0])
        }
        throw .boxShape(classes: classes, hasObjectness: nil, model: outputs[0])
      }
      found = Self.single(outputs[0], classes, objectness: [hasObjectness])
      guard !found.isEmpty else {
        throw .boxShape(classes: classes, hasObjectness: hasObjectness, model: outputs[0])
      }
    default:
      found = Self.pair(outputs[0], outputs[1], classes)
      guard !found.isEmpty else {
        throw .boxPairShape(classes: classes, boxes: outputs[0], scores: outputs[1])
      }
    }
    guard found.count == 1 else { throw .boxLayoutUnclear(classes: classes, model: outputs) }
    guard found[0].rows <= Self.rowLimit, found[0].count <= Self.limit else {
      throw .tooManyBoxes(found[0].rows, limit: Self.rowLimit, model: outputs[0])
    }
    self = found[0]
  }

  private init(
    rows: Int, classes: Int, counts: [Int], boxes: Columns, objectness: Columns?, scores: Columns,
    labels: Columns? = nil
  ) {
    self.rows = rows
    self.classes = classes
    self.counts = counts
    self.boxes = boxes
    self.objectness = objectness
    self.scores = scores
    self.labels = labels
  }

  /// `[N, rows, 6]` and `[N, 6, rows]`: a box, its score and the number of its class.
  private static func final(_ output: TensorSignature, _ classes: Int) -> [BoxTensorLayout] {
    tables(output, width: 6, start: 0).map { rows, table in
      func column(_ column: Int) -> Columns {
        Columns(start: table.place(0, column), row: table.row, column: table.column)
      }
      return BoxTensorLayout(
        rows: rows, classes: classes, counts: [6 * rows], boxes: table, objectness: nil,
        scores: column(4), labels: column(5))
    }
  }

  /// `[N, rows, values]` and `[N, values, rows]`, with or without an objectness.
  private static func single(
    _ output: TensorSignature, _ classes: Int, objectness: [Bool]
  ) -> [BoxTensorLayout] {
    objectness.flatMap { hasObjectness in
      let first = hasObjectness ? 5 : 4
      return tables(output, width: first + classes, start: 0).map { rows, table in
        func columns(from column: Int) -> Columns {
          Columns(start: table.place(0, column), row: table.row, column: table.column)
        }
        return BoxTensorLayout(
          rows: rows, classes: classes, counts: [rows * (first + classes)], boxes: table,
          objectness: hasObjectness ? columns(from: 4) : nil, scores: columns(from: first))
      }
    }
  }

  /// Boxes and scores with the same number of rows.
  private static func pair(
    _ boxes: TensorSignature, _ scores: TensorSignature, _ classes: Int
  ) -> [BoxTensorLayout] {
    tables(boxes, width: 4, start: 0).flatMap { rows, boxes in
      tables(scores, width: classes, start: 4 * rows).filter { $0.rows == rows }.map {
        BoxTensorLayout(
          rows: rows, classes: classes, counts: [4 * rows, classes * rows], boxes: boxes,
          objectness: nil, scores: $0.columns)
      }
    }
  }

  /// The ways to read an output as rows of `width` values; superfluous lengths of 1 are ignored.
  private static func tables(
    _ output: TensorSignature, width: Int, start: Int
  ) -> [(rows: Int, columns: Columns)] {
    var lengths = (output.shape ?? []).dropFirst().compactMap { $0 }
    while lengths.count > 2, let place = lengths.lastIndex(of: 1) { lengths.remove(at: place) }
    if lengths.count == 1, width == 1 { lengths.append(1) }
    guard lengths.count == 2, lengths.allSatisfy({ $0 > 0 && $0 <= limit / width }) else {
      return []
    }
    var found: [(rows: Int, columns: Columns)] = []
    if lengths[1] == width {
      found.append((lengths[0], Columns(start: start, row: width, column: 1)))
    }
    // A table with one column has the same layout in both orders.
    if lengths[0] == width, width > 1 || lengths[1] != width {
      found.append((lengths[1], Columns(start: start, row: 1, column: lengths[1])))
    }
    return found
  }

  private static func isKnown(_ output: TensorSignature) -> Bool {
    output.shape.map { $0.dropFirst().allSatisfy { $0 != nil } } ?? false
  }
}
