import AssayCore
import Testing

@testable import AssayInference

@Suite("The layout of boxes in a model's outputs")
struct BoxTensorLayoutTests {
  private func manifest(_ head: DetectorRule.Head, classes: Int = 2) -> ModelManifest {
    ModelManifest(
      task: .detection,
      input: ModelInput(size: ImageSize(width: 64, height: 32), layout: .nchw, color: .rgb),
      detector: DetectorRule(head: head), outputs: (0..<classes).map { "c\($0)" })
  }

  private func layout(
    _ shapes: [[Int?]], _ head: DetectorRule.Head = .boxes(.xyxy, .pixels), classes: Int = 2
  ) throws(InferenceError) -> BoxTensorLayout {
    try BoxTensorLayout(
      of: shapes.map { TensorSignature(name: "y", element: "f32", shape: $0) },
      manifest(head, classes: classes))
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
    let rows = try layout([[1, 9, 6]])
    #expect(rows.rows == 9 && !rows.hasObjectness && rows.scores.place(2, 1) == 17)
    let columns = try layout([[1, 6, 9]])
    #expect(columns.rows == 9 && columns.boxes.place(2, 3) == 29)
    #expect(columns.scores.place(2, 1) == 47)
    #expect(try layout([[1, 9, 7]]).hasObjectness && layout([[1, 7, 9]]).hasObjectness)
    #expect(try layout([[1, 1, 9, 6]]).rows == 9)
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
      ([[1, nil, 6]], "selects its boxes itself"),
      ([[1, 300, 6]] as [[Int?]], "looks like boxes after built-in NMS"),
      ([[1, 9, 8]], "7 with an objectness"),
      ([[1, 0, 6]], "gives [1, 0, 6]"),
      ([[1, 2_000_000, 6]], "the limit is 1048576"),
      ([[1, 4_611_686_018_427_387_904, 6]], "the model's output y gives"),
      ([[1, 6, 7]], "by rows and by columns"),
      ([[1, 4, 4], [1, 4, 2]], "by rows and by columns"),
    ])
  func faults(_ shapes: [[Int?]], _ text: String) {
    let classes = text.contains("built-in") ? 80 : 2
    let error = #expect(throws: InferenceError.self) { try layout(shapes, classes: classes) }
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
