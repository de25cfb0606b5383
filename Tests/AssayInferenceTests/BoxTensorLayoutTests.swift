import AssayCore
import Testing

@testable import AssayInference

@Suite("The layout of boxes in a model's outputs")
struct BoxTensorLayoutTests {
  private func manifest(
    _ head: DetectorRule.Head, classes: Int = 2, objectness: Bool? = nil,
    outputs: DetectorRule.Outputs? = nil, row: DetectorRule.Row = .boxScoreClass, extra: Int = 0
  ) -> ModelManifest {
    ModelManifest(
      task: .detection,
      input: ModelInput(size: ImageSize(width: 64, height: 32), layout: .nchw, color: .rgb),
      detector: DetectorRule(
        head: head, outputs: outputs, row: row, maskCoefficients: extra, hasObjectness: objectness),
      outputs: (0..<classes).map { "c\($0)" })
  }

  private func layout(
    _ shapes: [[Int?]], _ head: DetectorRule.Head = .boxes(.xyxy, .pixels), classes: Int = 2,
    objectness: Bool? = nil
  ) throws(InferenceError) -> BoxTensorLayout {
    try BoxTensorLayout(
      of: shapes.map { TensorSignature(name: "y", element: "f32", shape: $0) },
      manifest(
        head, classes: classes, objectness: objectness,
        outputs: shapes.count == 2 ? DetectorRule.Outputs(boxes: "y", scores: "y") : nil))
  }

  private static let yolox = DetectorRule.Head.yolox(strides: [8, 16, 32])

  @Test("YOLOX has as many rows as cells, whatever the input's size")
  func grid() throws {
    // 64 × 32: 8·4 + 4·2 + 2·1 = 42 cells; 4 + 1 + 2 values.
    let layout = try layout([[1, 42, 7]], Self.yolox)
    #expect(layout.rows == 42 && layout.count == 294 && layout.hasObjectness)
    #expect(layout.boxes.place(1, 2) == 9 && layout.scores.place(0, 1) == 6)
    #expect(try self.layout([[1, 8, 7]], .yolox(strides: [16])).rows == 8)
    for shape: [Int?] in [[1, 41, 7], [1, 42, 6], [1, 42, 8], [1, 7], [1, 42, 7, 2]] {
      let error = #expect(throws: InferenceError.self) { try self.layout([shape], Self.yolox) }
      #expect(error.map { "\($0)" }?.contains("reads [N, 42, 7]") == true)
    }
  }

  @Test("Rows or columns, with or without an objectness")
  func single() throws {
    let rows = try layout([[1, 9, 6]], objectness: false)
    #expect(rows.rows == 9 && !rows.hasObjectness && rows.scores.place(2, 1) == 17)
    let columns = try layout([[1, 6, 9]], objectness: false)
    #expect(columns.rows == 9 && columns.boxes.place(2, 3) == 29)
    #expect(columns.scores.place(2, 1) == 47)
    #expect(try layout([[1, 9, 7]], objectness: true).hasObjectness)
    #expect(try layout([[1, 7, 9]], objectness: true).hasObjectness)
    #expect(try layout([[1, 1, 9, 6]], objectness: false).rows == 9)
  }

  @Test("Whether there is an objectness is never concluded from the number of classes")
  func objectness() throws {
    // YOLOv8 of 80 classes with 79 or 80 names, YOLOv5 with 80 or 81: one reading fits each of them.
    for (shape, classes) in [
      ([1, 84, 8400], 79), ([1, 84, 8400], 80), ([1, 25_200, 85], 80), ([1, 25_200, 85], 81),
    ] {
      let error = #expect(throws: InferenceError.self) { try layout([shape], classes: classes) }
      #expect(error.map { "\($0)" }?.contains("Set “objectness: yes” if") == true)
    }
    for (shape, classes, objectness) in [
      ([1, 84, 8400], 79, false), ([1, 84, 8400], 81, false), ([1, 25_200, 85], 81, true),
      ([1, 25_200, 85], 80, false),
    ] {
      let error = #expect(throws: InferenceError.self) {
        try layout([shape], classes: classes, objectness: objectness)
      }
      #expect(error.map { "\($0)" }?.contains("the manifest does not fit the model") == true)
    }
    #expect(try layout([[1, 84, 8400]], classes: 80, objectness: false).rows == 8400)
    #expect(try layout([[1, 25_200, 85]], classes: 80, objectness: true).rows == 25_200)
  }

  @Test("Boxes that the model chose itself have six values each, by rows or by columns")
  func final() throws {
    let head = DetectorRule.Head.final(.xyxy, .pixels, classBase: 0)
    let rows = try layout([[1, 300, 6]], head, classes: 80)
    #expect(rows.rows == 300 && rows.count == 1_800 && !rows.hasObjectness)
    #expect(rows.scores.place(2, 0) == 16 && rows.labels?.place(2, 0) == 17)
    let columns = try layout([[1, 6, 300]], head, classes: 80)
    #expect(columns.scores.place(2, 0) == 1_202 && columns.labels?.place(2, 0) == 1_502)
    for shapes: [[Int?]] in [[[1, 300, 7]], [[1, 300, 84]], [[1, 300, 5]]] {
      let error = #expect(throws: InferenceError.self) { try layout(shapes, head, classes: 80) }
      #expect(error.map { "\($0)" }?.contains("“head: final” reads [N, boxes, 6]") == true)
    }
    // As many boxes as the model finds, in rows only.
    let open = try layout([[1, nil, 6]], head)
    #expect(open.rows == BoxTensorLayout.openRowLimit && open.areOpen == [true])
    let error = #expect(throws: InferenceError.self) { try layout([[1, 6, nil]], head) }
    #expect(error.map { "\($0)" }?.contains("open is read only from [N, boxes, 6]") == true)
  }

  @Test("Boxes and scores in two outputs")
  func pair() throws {
    let both = try layout([[1, 9, 4], [1, 9, 2]])
    #expect(both.counts == [36, 18] && both.scores.place(0, 0) == 36)
    let turned = try layout([[1, 9, 1, 4], [1, 2, 9]])
    #expect(turned.scores.place(3, 1) == 36 + 9 + 3)
    #expect(try layout([[1, 9, 4], [1, 9]], classes: 1).counts == [36, 9])
    #expect(throws: InferenceError.self) { try layout([[1, 9, 4], [1, 8, 2]]) }
    #expect(throws: InferenceError.self) { try layout([[1, 9, 5], [1, 9, 2]]) }
  }

  @Test(
    "What cannot be read is told",
    arguments: [
      ([[1, nil, 6]], "selects its boxes itself. Set “head: final” with “class-base:” 0 or 1"),
      ([[1, nil, 5]], "“head: final” with “row: box-score”, for one class"),
      ([[1, 300, 6]] as [[Int?]], "looks like boxes after built-in NMS"),
      ([[1, 9, 8]], "7 with an objectness"),
      ([[1, 0, 6]], "gives [1, 0, 6]"),
      ([[1, 2_000_000, 6]], "the limit is 1048576"),
      ([[1, 4_611_686_018_427_387_904, 6]], "the model's output y gives"),
      ([[1, 6, 6]], "by rows and by columns"),
      ([[1, 4, 4], [1, 4, 2]], "by rows and by columns"),
    ])
  func faults(_ shapes: [[Int?]], _ text: String) {
    let classes = text.contains("built-in") ? 80 : 2
    // Where the shapes fit no reading, the text names both.
    let objectness: Bool? = text.contains("with an objectness") || shapes.count > 1 ? nil : false
    let error = #expect(throws: InferenceError.self) {
      try layout(shapes, classes: classes, objectness: objectness)
    }
    #expect(error.map { "\($0)" }?.contains(text) == true, "\(String(describing: error))")
  }

  @Test("An open rank is an unknown shape")
  func openRank() {
    #expect(throws: InferenceError.self) {
      try BoxTensorLayout(
        of: [TensorSignature(name: "y", element: "f32", shape: nil)],
        manifest(.boxes(.xyxy, .pixels)))
    }
  }
}
