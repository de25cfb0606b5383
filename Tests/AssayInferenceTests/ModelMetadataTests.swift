import Testing

@testable import AssayInference

@Suite("Facts that exporters write into model files")
struct ModelMetadataTests {
  @Test(
    "Names in Python's and JSON's spelling",
    arguments: [
      ("{0: 'person', 1: \"driver's cab\", 2: 'a \\\\ b'}", ["person", "driver's cab", "a \\ b"]),
      ("['cat', 'dog']", ["cat", "dog"]), ("{\"0\": \"cat\", \"1\": \"dog\"}", ["cat", "dog"]),
      (" { 0 : 'x' , } ", ["x"]),
    ])
  func names(_ text: String, _ expected: [String]) {
    #expect(ModelMetadata.names(text) == expected)
  }

  @Test(
    "Text that is no list of names in order gives none",
    arguments: [
      "", "{}", "[]", "{1: 'a'}", "{0: 'a', 2: 'b'}", "{0: 'a', 1: 'a'}", "{0: 'a'} x", "{0: 'a'",
      "{0: a}", "{0: 'a\\n'}", "{0: ''}", "['a' 'b']", "{0: 'a' 1: 'b'}", "{99999999999: 'a'}",
      "__import__('os').system('x')",
    ])
  func noNames(_ text: String) { #expect(ModelMetadata.names(text) == nil) }

  private static let ultralytics = ModelMetadata([
    "names": "{0: 'person', 1: 'car'}", "task": "detect", "author": "Ultralytics",
    "license": "AGPL-3.0 License (https://ultralytics.com/license)",
    "description": "Ultralytics YOLOv8n model trained on \"x\".yaml", "stride": "32",
  ])

  private func draft(_ output: [Int?], _ metadata: ModelMetadata) -> String {
    ModelManifest.draft(
      for: ModelSignature(
        inputs: [TensorSignature(name: "images", element: "f32", shape: [1, 3, 640, 640])],
        outputs: [TensorSignature(name: "output0", element: "f32", shape: output)]),
      name: "m", metadata: metadata)
  }

  @Test("A detector of Ultralytics states all that a draft needs")
  func settled() throws {
    let text = draft([1, 6, 8400], Self.ultralytics)
    #expect(ModelManifest.openKeys(ofDraft: text) == [])
    let manifest = try ModelManifest(yaml: text, path: "m.yaml")
    #expect(manifest.outputs == ["person", "car"] && manifest.detector?.hasObjectness == false)
    #expect(manifest.input.resize == .letterbox(fill: 114, anchor: .center, rounding: .nearest))
    #expect(manifest.input.color == .rgb && manifest.input.scale == [1.0 / 255])
    #expect(
      manifest.source?.contains("\"x\"") == true && manifest.license?.hasPrefix("AGPL") == true)
    let final = try ModelManifest(yaml: draft([1, 300, 6], Self.ultralytics), path: "m.yaml")
    #expect(final.detector?.head == .final(.xyxy, .pixels, classBase: 0))
  }

  @Test("Segmenters and pose models of Ultralytics are read as the detectors that they also are")
  func extraValues() throws {
    for (texts, width, line) in [
      (["task": "segment"], 38, "masks: 32  #"),
      (["task": "pose", "kpt_shape": "[17, 3]"], 57, "keypoints: 17x3  #"),
    ] {
      let metadata = ModelMetadata(
        texts.merging(["author": "Ultralytics", "names": "{0: 'a', 1: 'b'}"]) { $1 })
      let text = draft([1, width, 8400], metadata)
      #expect(
        ModelManifest.openKeys(ofDraft: text).allSatisfy { ["source", "license"].contains($0) })
      #expect(text.contains(line) && text.contains("objectness: no  #"))
      // The same after built-in NMS: 6 values, and the others.
      let final = draft([1, 300, width], metadata)
      #expect(final.contains("head: final") && final.contains(line))
    }
  }

  @Test("What the file does not settle stays open: other counts, other tasks, other exporters")
  func open() {
    // Seven values are four, an objectness and the two names: no layout of Ultralytics.
    #expect(
      ModelManifest.openKeys(ofDraft: draft([1, 7, 8400], Self.ultralytics)).contains("head")
        == false)
    #expect(
      ModelManifest.openKeys(ofDraft: draft([1, 7, 8400], Self.ultralytics)).contains("box-order"))
    #expect(
      draft([1, 7, 8400], Self.ultralytics).contains("objectness: yes  # the file names 2 classes"))
    #expect(
      ModelManifest.openKeys(ofDraft: draft([1, 9, 8400], Self.ultralytics)).contains("objectness"))
    var other = Self.ultralytics
    other.isUltralytics = false
    let open = ModelManifest.openKeys(ofDraft: draft([1, 6, 8400], other))
    #expect(open.contains("color") && open.contains("resize") && !open.contains("objectness"))
    #expect(!open.contains("outputs") && !open.contains("classes"))
    var pose = Self.ultralytics
    pose.task = "pose"
    #expect(!ModelManifest.openKeys(ofDraft: draft([1, 6, 8400], pose)).isEmpty)
    #expect(ModelMetadata(["kpt_shape": "[17, 3]", "task": "pose"]).extraValues == 51)
    #expect(ModelMetadata(["kpt_shape": "[17]", "task": "pose"]).extraValues == 0)
  }
}
