import AssayCore
import AssayTestSupport
import Testing

import AssayInference

@Suite("Manifests of segmentation models")
struct MaskManifestTests {
  private static let head = """
    task: segmentation
    input: {width: 4, height: 4, layout: NHWC, color: rgb, scale: 1/255, offset: 0, resize: stretch}

    """

  private func manifest(_ rest: String) throws(InferenceError) -> ModelManifest {
    try ModelManifest(yaml: Self.head + rest, path: "m.yaml")
  }

  @Test("One class is cut at a threshold, a half where none is given")
  func binary() throws {
    let plain = try manifest("classes: [person]")
    #expect(plain.task == .segmentation && plain.maskThreshold == 0.5 && plain.keptClasses == [0])
    let own = try manifest("classes: [person]\nthreshold: 1/4\nactivation: sigmoid")
    #expect(own.maskThreshold == 0.25 && own.activation == .sigmoid && own.background == nil)
  }

  @Test("With several classes the most likely one is used; background is not a class")
  func several() throws {
    let three = try manifest("classes: [background, road, car]\nactivation: softmax")
    #expect(three.maskThreshold == nil && three.keptClasses == [0, 1, 2] && three.background == 0)
    let renamed = try manifest("outputs: [road, void, car]\nclasses: {void: background}")
    #expect(renamed.background == 1)
    #expect(try manifest("classes: [road, car]\noutput-layout: nhwc").outputLayout == .nhwc)
  }

  @Test("Background and one class use the more likely one, or a given threshold")
  func two() throws {
    let likelier = try manifest("classes: [background, person]")
    #expect(likelier.maskThreshold == nil && likelier.keptClasses == [0, 1])
    let cut = try manifest("classes: [background, person]\nthreshold: 0.4")
    #expect(cut.maskThreshold == 0.4 && cut.keptClasses == [1])
  }

  @Test(
    "Each wrong value has its own text",
    arguments: [
      ("classes: [road, car]\nthreshold: 0.5", "this model has 2 besides the background"),
      ("classes: [person]\nthreshold: 0", "over 0 and at most 1"),
      ("classes: [person]\nthreshold: 1.01", "over 0 and at most 1"),
      ("classes: [person]\nthreshold: half", "a number"),
      ("classes: [person]\nthreshold: [0.1, 0.2]", "one for all channels"),
      ("classes: [background]", "names only the background"),
      ("classes: [person]\nactivation: softmax", "is 1 everywhere"),
      ("classes: [person]\noutput-layout: NCWH", "did you mean “NCHW”"),
      ("classes: [person]\ntreshold: 0.5", "did you mean “threshold”"),
    ])
  func wrong(_ rest: String, _ text: String) {
    let error = #expect(throws: InferenceError.self) { try manifest(rest) }
    #expect(error.map { "\($0)" }?.contains(text) == true, "\(String(describing: error))")
  }

  @Test(
    "A classifier has neither threshold nor output layout",
    arguments: [
      "threshold: 0.5", "output-layout: NCHW",
    ])
  func classifier(_ line: String) {
    let text = Self.head.replacing("segmentation", with: "classification") + "classes: [a]\n" + line
    let error = #expect(throws: InferenceError.self) {
      try ModelManifest(yaml: text, path: "m.yaml")
    }
    #expect(error.map { "\($0)" }?.contains("belongs to “task: segmentation”") == true)
  }

  private func draft(_ input: [Int?], _ output: [Int?]) -> String {
    ModelManifest.draft(
      for: ModelSignature(
        inputs: [TensorSignature(name: "x", element: "f32", shape: input)],
        outputs: [TensorSignature(name: "y", element: "f32", shape: output)]), name: "m")
  }

  @Test("A model whose output looks like maps gets a segmentation's draft")
  func drafts() throws {
    for output: [Int?] in [[1, 256, 128, 1], [1, 1, 256, 128], [1, 64, 32]] {
      let text = draft([1, 256, 128, 3], output)
      #expect(
        text.contains("task: segmentation  # TODO") && text.contains("threshold: 0.5  # TODO"))
      #expect(text.contains("- class 0\n") && !text.contains("- class 1"))
      let settled = try ModelManifest(
        yaml: text.replacing("# TODO", with: "#").replacing("- class 0", with: "- thing"),
        path: "d.yaml")
      #expect(settled.maskThreshold == 0.5)
    }
    let several = draft([nil, 3, 32, 32], [nil, 21, 8, 8])
    #expect(several.contains("- class 20\n") && !several.contains("threshold"))
    #expect(throws: InferenceError.self) { try ModelManifest(yaml: several, path: "d.yaml") }
    #expect(draft([nil, 3, 32, 32], [nil, 8, 8, 8]).contains("output-layout: NCHW  # TODO"))
  }

  @Test(
    "Outputs of classifiers and detectors are not maps",
    arguments: [
      [1, 7], [1, 3550, 85], [1, 896, 16], [1, 7, 1, 1],
    ])
  func noMaps(_ output: [Int]) {
    #expect(draft([1, 3, 416, 416], output).contains("task: classification  # TODO"))
  }

  @Test("The manifest of the person model is sound")
  func selfie() throws {
    let path = PackageFolder.url("Datasets/models/selfie.yaml").path
    let manifest = try ModelManifest.read(path).manifest
    #expect(manifest.task == .segmentation && manifest.classes == ["person"])
    #expect(manifest.maskThreshold == 0.5)
  }
}
