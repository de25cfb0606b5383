import AssayTestSupport
import Testing

@testable import AssayInference

@Suite("What a draft takes a model's outputs for")
struct DraftReadingTests {
  private static func signature(
    _ outputs: [(String, [Int?])], input: [Int?] = [1, 3, 640, 640], element: String = "f32"
  ) -> ModelSignature {
    ModelSignature(
      inputs: [TensorSignature(name: "images", element: "f32", shape: input)],
      outputs: outputs.map { TensorSignature(name: $0.0, element: element, shape: $0.1) })
  }

  private static func draft(
    _ signature: ModelSignature, _ metadata: ModelMetadata = ModelMetadata()
  ) -> String {
    ModelManifest.draft(for: signature, name: "m", metadata: metadata)
  }

  @Test("Maps with open sides are maps, in either layout")
  func openMaps() {
    for (shape, layout) in [
      ([nil, 21, nil, nil], nil), ([nil, nil, nil, 21], nil), ([nil, nil, nil, nil], "NCHW"),
    ] as [([Int?], String?)] {
      for input in [[nil, 3, nil, nil], [1, 3, 512, 512]] as [[Int?]] {
        let text = Self.draft(Self.signature([("out", shape)], input: input))
        #expect(text.contains("task: segmentation"), "\(text)")
        #expect(text.contains("output-layout: NCHW  # TODO") == (layout != nil), "\(text)")
        #expect(text.contains("class 20") == (layout == nil))
      }
    }
    let labels = Self.draft(Self.signature([("out", [nil, nil, nil])], element: "i64"))
    #expect(labels.contains("label-map: yes"))
    let floats = Self.draft(Self.signature([("out", [nil, nil, nil])]))
    #expect(floats.contains("task: classification"))
  }

  @Test("A segmenter by config.json is one at any size")
  func statedMaps() {
    var metadata = ModelMetadata()
    metadata.statedTask = .segmentation
    metadata.statedActivation = .softmax
    let open = Self.signature([("logits", [nil, 19, nil, nil])], input: [nil, 3, nil, nil])
    let text = Self.draft(open, metadata)
    #expect(text.contains("task: segmentation"))
    #expect(text.contains("activation: softmax  # the architecture's outputs are logits"))
    // Sides that are known beside an input of any size are no maps unless the file says so.
    let fixed = Self.signature([("logits", [nil, 19, 128, 128])], input: [nil, 3, nil, nil])
    #expect(Self.draft(fixed, metadata).contains("task: segmentation"))
    #expect(Self.draft(fixed).contains("task: classification"))
  }

  @Test("Outputs that are not recognized are told, with what reads them")
  func unrecognized() {
    let scrfd = [8, 16, 32].flatMap { stride in
      let rows = 2 * (640 / stride) * (640 / stride)
      return [
        ("score_\(stride)", [rows, 1]), ("bbox_\(stride)", [rows, 4]),
        ("kps_\(stride)", [rows, 10]),
      ]
    }
    let pose = [("simcc_x", [nil, 17, 384]), ("simcc_y", [nil, 17, 512])] as [(String, [Int?])]
    for outputs in [scrfd, pose] {
      let signature = Self.signature(outputs)
      #expect(!ModelManifest.recognizes(signature, ModelMetadata()))
      let text = Self.draft(signature)
      #expect(text.contains("# No output is recognized by its form"))
      #expect(text.contains("assay model runner-template --onnxruntime"))
    }
    let rtmo = [("dets", [1, nil, 5]), ("keypoints", [1, nil, 17, 3])] as [(String, [Int?])]
    #expect(ModelManifest.recognizes(Self.signature(rtmo), ModelMetadata()))
    #expect(Self.draft(Self.signature(rtmo)).contains("keypoints-output: \"keypoints\""))
    for shape in [[1, 1000], [nil, 1000, 1, 1], [1], nil] as [[Int?]?] {
      let output = TensorSignature(name: "probs", element: "f32", shape: shape)
      let signature = ModelSignature(inputs: Self.signature([]).inputs, outputs: [output])
      #expect(ModelManifest.recognizes(signature, ModelMetadata()), "\(signature)")
      #expect(!Self.draft(signature).contains("No output is recognized"))
    }
  }

  @Test("Maps of several depths can be a detector's grids, which the draft says")
  func grids() {
    let sizes = [("hm", [1, 80, 160, 160]), ("wh", [1, 2, 160, 160]), ("reg", [1, 2, 160, 160])]
    let text = Self.draft(Self.signature(sizes))
    #expect(text.contains("task: segmentation") && text.contains("# Several outputs are maps."))
    let two = [("out", [1, 21, 640, 640]), ("aux", [1, 21, 640, 640])]
    #expect(!Self.draft(Self.signature(two)).contains("Several outputs"))
  }

  @Test("Names of keypoints are not those of classes")
  func keypointNames() throws {
    var metadata = ModelMetadata()
    metadata.names = ["Nose", "L_Eye"]
    let text = Self.draft(
      Self.signature([("heatmaps", [nil, 2, 64, 48])], input: [nil, 3, 256, 192]), metadata)
    #expect(text.contains("keypoint-names: [\"Nose\", \"L_Eye\"]"))
    #expect(text.contains("- class 0") && !text.contains("- \"Nose\""))
    let filled = text.split(separator: "\n").map { line in
      line.firstRange(of: "  # TODO").map { String(line[..<$0.lowerBound]) } ?? String(line)
    }.joined(separator: "\n").replacing("- class 0", with: "- person")
    #expect(try ModelManifest(yaml: filled, path: "m.yaml").classes == ["person"])
  }
}
