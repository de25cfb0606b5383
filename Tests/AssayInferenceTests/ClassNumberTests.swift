import AssayCore
import AssayImaging
import AssayTestSupport
import Testing

@testable import AssayInference

/// Classifiers that give the number of the class, with the models of `make_heads.py`.
@Suite("Numbers of classes", .openVINO)
struct ClassNumberTests {
  private static let input =
    "input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}"
  private static let pictures = [
    Fixture.picture([255, 255, 255, 255]), Fixture.picture([0, 0, 0, 0]),
    Fixture.picture([255, 102, 255, 0]), Fixture.picture([120, 120, 120, 120]),
  ]
  /// The means are 1, 0, 0.6 and 0.471, the scores the mean, the rest to 1, and 0.45.
  private static let expected = [0, 1, 0, 1]

  private func manifest(
    _ rest: String, classes: String = "[bright, dark, third]"
  ) throws(InferenceError) -> ModelManifest {
    try ModelManifest(
      yaml: "task: classification\n\(Self.input)\nclasses: \(classes)\n\(rest)", path: "m.yaml")
  }

  private func pool(
    _ name: String, _ rest: String, classes: String = "[bright, dark, third]"
  ) throws -> ClassNumberPool {
    let model = try ValidatedModel(
      try ModelFile.read(Fixture.path(name + ".onnx")),
      manifest: try manifest(rest, classes: classes))
    return try ClassNumberPool(model, workers: 2, batch: 3, probe: Self.pictures)
  }

  @Test(
    "The class is read from whole and other numbers, from 0 or 1 on, and is the best of several",
    arguments: [
      ("class_number", "labels-output: y\nclass-base: 0"),
      ("class_number_one", "labels-output: y\nclass-base: 1"),
      ("class_top", "labels-output: classes\nscores-output: scores\nclass-base: 0"),
      ("class_both", "labels-output: label\nclass-base: 0"),
    ])
  func classes(_ name: String, _ rest: String) throws {
    let pool = try pool(name, rest)
    for worker in 0..<2 {
      #expect(try pool.answers(worker: worker, of: Self.pictures) == Self.expected)
    }
  }

  @Test("Scores whose classes are not read are not taken for those of the manifest's classes")
  func unread() {
    expectFault("“labels-output: classes”, “scores-output: scores” and “class-base:” 0 or 1") {
      _ = try ValidatedModel(
        try ModelFile.read(Fixture.path("class_top.onnx")),
        manifest: try manifest("activation: none\noutput: scores", classes: "[bright, dark]"))
    }
  }

  @Test("A number that is no class is an error, and so are outputs of another shape")
  func faults() throws {
    let base = "labels-output: y\nclass-base: "
    expectFault("sample [255, 255, 255, 255] has the class 0.0, but the manifest names 1 to 3") {
      _ = try pool("class_number", base + "1").answers(worker: 0, of: Self.pictures)
    }
    expectFault("has the class 2.0, but the manifest names 0 to 1, with “class-base: 0”") {
      _ = try pool("class_number_one", base + "0", classes: "[bright, dark]")
        .answers(worker: 0, of: [Self.pictures[1]])
    }
    expectFault("name their scores: “scores-output: NAME”") {
      _ = try pool("class_top", "labels-output: classes\nclass-base: 0")
    }
    expectFault("[N, k] of both") {
      _ = try pool(
        "class_both", "labels-output: label\nscores-output: probabilities\nclass-base: 0")
    }
    expectFault("reads the output “z”") {
      _ = try pool("class_number", "labels-output: z\nclass-base: 0")
    }
    // Without the key the way is named, for classifiers only.
    expectFault("set “labels-output: y”") {
      _ = try ValidatedModel(
        try ModelFile.read(Fixture.path("class_number.onnx")), manifest: try manifest(""))
    }
    let layout = try ClassNumberLayout(
      of: [TensorSignature(name: "y", element: "i64", shape: [])],
      ClassNumbers(labels: "y", base: 0), isBatched: false)
    #expect(layout.choices == 1)
    for shape in [[1, 2, 3], [1, nil], [], [1, 0]] as [[Int?]] {
      let output = TensorSignature(name: "y", element: "i64", shape: shape)
      #expect(throws: InferenceError.classNumberShape(hasScores: false, model: [output])) {
        _ = try ClassNumberLayout(
          of: [output], ClassNumbers(labels: "y", base: 0), isBatched: true)
      }
    }
  }

  @Test(
    "Keys of scores per class do not go with numbers of classes",
    arguments: [
      ("labels-output: y", "“class-base” is missing"),
      ("class-base: 0", "“labels-output” is missing"),
      ("scores-output: y", "“labels-output” is missing"),
      ("labels-output: y\nclass-base: 2", "from 0 to 1"),
      ("labels-output: y\nclass-base: 0\nactivation: softmax", "“activation” cannot be combined"),
      ("labels-output: y\nclass-base: 0\noutput: y", "“output” cannot be combined"),
      (
        "labels-output: y\nclass-base: 0\noutput-scale: 1\noutput-offset: 0",
        "“output-scale” cannot be combined"
      ),
      ("labels-output: y\nclass-base: 0\nboxes-output: b", "belongs to “task: detection”"),
    ])
  func keys(_ rest: String, _ text: String) {
    expectFault(text) { _ = try manifest(rest) }
  }

  @Test("Several labels of an image are not read from one number")
  func multiLabel() {
    expectFault("belongs to “task: detection”; this model's task is multilabel") {
      _ = try ModelManifest(
        yaml: "task: multilabel\n\(Self.input)\nclasses: [a, b]\nlabels-output: y\nclass-base: 0",
        path: "m.yaml")
    }
  }

  @Test("Drafts name the outputs, and take a score per class where there is one")
  func drafts() throws {
    func draft(_ name: String) throws -> String {
      let file = try ModelFile.read(Fixture.path(name + ".onnx"))
      return ModelManifest.draft(for: try ModelSignature.read(file), name: name)
    }
    func settled(_ text: String) throws -> ModelManifest {
      let named = text.replacing("# TODO", with: "#").replacing("- class ", with: "- thing ")
      return try ModelManifest(yaml: named, path: "d.yaml")
    }
    let one = try draft("class_number")
    #expect(
      one.contains("task: classification  # TODO: its output looks like the number of the class"))
    #expect(!one.contains("activation:") && !one.contains("scores-output"))
    #expect(try settled(one).classNumbers == ClassNumbers(labels: "y", base: 0))
    let top = try draft("class_top")
    #expect(
      try settled(top).classNumbers == ClassNumbers(labels: "classes", scores: "scores", base: 0))
    let both = try draft("class_both")
    #expect(both.contains("output: \"probabilities\"  # TODO") && !both.contains("labels-output"))
    #expect(both.contains("- class 1\n") && both.contains("activation: none  # TODO"))
    // Floats and two whole numbers per image are no numbers of classes.
    #expect(!(try draft("class_number_one")).contains("labels-output"))
    #expect(!(try draft("types_i64_out")).contains("labels-output"))
  }
}
