import AssayCore

extension BoxTensorLayout {
  /// Boxes and keypoints `[N, rows, 4 + 2 · points]` and scores `[N, rows, 1]`, with a row for each anchor.
  ///
  /// - Throws: ``InferenceError/centerShape(input:rule:rows:values:model:)``; ``InferenceError/centerClasses(_:)``.
  static func centered(
    _ outputs: [TensorSignature], _ rule: CenterRule, _ manifest: ModelManifest, _ isBatched: Bool
  ) throws(InferenceError) -> BoxTensorLayout {
    guard manifest.outputs.count == 1 else { throw .centerClasses(manifest.outputs.count) }
    let rows = rule.rowCount(of: manifest.input.size)
    let width = 4 + (manifest.detector?.extraValues ?? 0)
    // Both are by rows, whatever their numbers.
    guard outputs.count == 2,
      let boxes = tables(outputs[0], width: width, start: 0, isBatched).first,
      let scores = tables(outputs[1], width: 1, start: rows * width, isBatched).first,
      boxes.rows == rows, boxes.columns.column == 1, scores.rows == rows
    else {
      throw .centerShape(
        input: manifest.input.size, rule: rule, rows: rows, values: width, model: outputs)
    }
    return BoxTensorLayout(
      rows: rows, classes: 1, counts: [rows * width, rows], boxes: boxes.columns, objectness: nil,
      scores: scores.columns, extra: width > 4 ? boxes.columns.from(4) : nil)
  }
}
