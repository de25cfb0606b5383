import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

@Suite("Drafts from what model files and the files beside them state")
struct StatedFactsTests {
  private func draft(
    _ input: [Int?], _ outputs: [(String, [Int?])], _ metadata: ModelMetadata,
    name: String = "images", more: [TensorSignature] = []
  ) -> String {
    ModelManifest.draft(
      for: ModelSignature(
        inputs: [TensorSignature(name: name, element: "f32", shape: input)] + more,
        outputs: outputs.map { TensorSignature(name: $0.0, element: "f32", shape: $0.1) }),
      name: "m", metadata: metadata)
  }

  private static func ultralytics(_ more: [String: String]) -> ModelMetadata {
    ModelMetadata(
      [
        "author": "Ultralytics", "description": "Ultralytics model", "license": "AGPL-3.0",
        "names": "{0: 'person', 1: 'car'}", "imgsz": "[256, 416]",
      ].merging(more) { $1 })
  }

  @Test(
    "Open sides are those that Ultralytics exported for, and a file without them leaves them open")
  func openSides() throws {
    let metadata = Self.ultralytics(["task": "detect"])
    for output in [[nil, 6, nil], [1, 6, 500], [nil, 300, 6]] as [[Int?]] {
      let text = draft([nil, 3, nil, nil], [("output0", output)], metadata)
      #expect(ModelManifest.openKeys(ofDraft: text) == [], "\(text)")
      let manifest = try ModelManifest(yaml: text, path: "m.yaml")
      #expect(manifest.input.size == ImageSize(width: 416, height: 256))
      #expect(manifest.input.layout == .nchw && manifest.task == .detection)
    }
    let old = draft(
      [nil, 3, nil, nil], [("output0", [nil, 300, 6])],
      Self.ultralytics(["task": "detect", "imgsz": ""]))
    #expect(ModelManifest.openKeys(ofDraft: old).contains("width"))
    #expect(ModelManifest.openKeys(ofDraft: old).contains("resize"))
  }

  @Test("Ultralytics' RT-DETR has relative boxes with their centers, of stretched images")
  func rtdetr() throws {
    let names = "{0: 'a', 1: 'b', 2: 'c'}"
    for output in [[1, 300, 6], [nil, nil, 6]] as [[Int?]] {
      let text = draft(
        [1, 3, 256, 416], [("output0", output)],
        Self.ultralytics(["task": "detect", "head": "RTDETRDecoder", "names": names]))
      #expect(ModelManifest.openKeys(ofDraft: text) == [], "\(text)")
      let manifest = try ModelManifest(yaml: text, path: "m.yaml")
      #expect(manifest.input.resize == .stretch)
      #expect(manifest.detector?.head == .final(.cxcywh, .relative, classBase: 0))
    }
    // With two names six values are a chosen box or a box with two scores.
    let open = draft(
      [1, 3, 256, 416], [("output0", [1, 300, 6])],
      Self.ultralytics(["task": "detect", "head": "RTDETRDecoder"]))
    #expect(ModelManifest.openKeys(ofDraft: open).contains("head"))
    let final = try ModelManifest(
      yaml: draft(
        [1, 3, 256, 416], [("output0", [1, 300, 7])],
        Self.ultralytics([
          "task": "detect", "description": "Ultralytics rtdetr-l model",
          "names": names,
        ])), path: "m.yaml")
    #expect(final.detector?.head == .boxes(.cxcywh, .relative))
    #expect(final.input.resize == .stretch && final.detector?.overlap == 1)
    #expect(final.activation == .none)
  }

  @Test("Outputs that are named as heat maps are proposed as keypoints of one object")
  func heatMaps() throws {
    let text = draft([nil, 3, 256, 192], [("heatmaps", [nil, 17, 64, 48])], ModelMetadata())
    let open = ModelManifest.openKeys(ofDraft: text)
    #expect(Set(["task", "head", "activation", "decode"]).isSubset(of: open), "\(text)")
    let filled = text.split(separator: "\n").map { line in
      line.firstRange(of: "  # TODO").map { String(line[..<$0.lowerBound]) } ?? String(line)
    }.joined(separator: "\n").replacing("- class 0", with: "- person")
    let manifest = try ModelManifest(yaml: filled, path: "m.yaml")
    let rule = try #require(manifest.detector?.head.pose)
    #expect(rule.source == .heatMaps(.quarter) && rule.output == "heatmaps")
    #expect(rule.form == KeypointForm(points: 17, values: 3) && manifest.classes == ["person"])
    // Maps of another name stay maps of regions.
    let maps = draft([nil, 3, 256, 192], [("logits", [nil, 17, 64, 48])], ModelMetadata())
    #expect(maps.contains("task: segmentation"))
  }

  @Test("An anomaly detector's draft reads its map, and says how to have the score")
  func anomalies() {
    let text = draft(
      [nil, 3, 256, 256],
      [("pred_score", [nil]), ("pred_label", [nil]), ("anomaly_map", [nil, 1, 256, 256])],
      ModelMetadata())
    #expect(text.contains("task: segmentation") && text.contains("output: \"anomaly_map\""))
    #expect(text.contains("# pred_score, positive: anomalous"))
    let plain = draft([nil, 3, 256, 256], [("map", [nil, 1, 256, 256])], ModelMetadata())
    #expect(!plain.contains("anomal"))
  }

  @Test("Truth values are read and written as 0 and 1")
  func truthValues() throws {
    let element = try #require(TensorElement(rawValue: "boolean"))
    #expect(element.range == 0...1)
    var memory: [UInt8] = [9, 9, 9]
    let values: [Float] = [1, 0, 1]
    values.withUnsafeBufferPointer { values in
      memory.withUnsafeMutableBytes { memory in
        if let start = memory.baseAddress { element.write(values, to: start) }
      }
    }
    #expect(memory == [1, 0, 1])
    memory = [0, 2, 1]
    var read: [Float] = []
    memory.withUnsafeBytes { memory in
      if let start = memory.baseAddress { element.append(0..<3, of: start, to: &read) }
    }
    #expect(read == [0, 1, 1])
  }

  @Test("Ultralytics' classifiers have their own preprocessing and end in a softmax")
  func classify() throws {
    let text = draft(
      [1, 3, 224, 224], [("output0", [1, 2])],
      Self.ultralytics(["task": "classify", "imgsz": "[224, 224]"]))
    #expect(ModelManifest.openKeys(ofDraft: text) == [], "\(text)")
    let manifest = try ModelManifest(yaml: text, path: "m.yaml")
    #expect(manifest.input.resize == .shorterCrop(shorter: 224) && manifest.activation == .none)
    #expect(manifest.input.filter == .pillowBilinear && manifest.outputs == ["person", "car"])
    // A file that was made for another size than it states is not settled.
    let other = draft(
      [1, 3, 320, 320], [("output0", [1, 2])],
      Self.ultralytics(["task": "classify", "imgsz": "[224, 224]"]))
    #expect(ModelManifest.openKeys(ofDraft: other).contains("resize"))
  }

  private static let processor: JSONValue = [
    "do_resize": .bool(true), "do_rescale": .bool(true), "do_normalize": .bool(true),
    "do_pad": .bool(true), "resample": .integer(2), "image_processor_type": "DetrImageProcessor",
    "image_mean": [.number(0.485), .number(0.456), .number(0.406)],
    "image_std": [.number(0.229), .number(0.224), .number(0.225)],
    "size": ["shortest_edge": .integer(800), "longest_edge": .integer(1333)],
  ]

  private func detr(_ type: String, names: JSONValue, processor: JSONValue = processor)
    -> ModelMetadata
  {
    var metadata = ModelMetadata()
    metadata.add(
      HuggingFaceFiles(
        config: [
          "model_type": .string(type), "architectures": [.string("\(type)ForObjectDetection")],
          "id2label": names,
        ], processor: processor))
    return metadata
  }

  @Test(
    "Hugging Face's detectors: DETR with its mask and a class for no object, RT-DETR with sigmoids")
  func huggingFace() throws {
    let mask = TensorSignature(name: "pixel_mask", element: "i64", shape: [nil, nil, nil])
    let text = draft(
      [nil, 3, nil, nil], [("logits", [nil, 100, 4]), ("pred_boxes", [nil, 100, 4])],
      detr("detr", names: ["0": "N/A", "1": "cat", "2": "N/A"]), name: "pixel_values", more: [mask])
    #expect(ModelManifest.openKeys(ofDraft: text) == [], "\(text)")
    let manifest = try ModelManifest(yaml: text, path: "m.yaml")
    #expect(manifest.outputs == ["unused 0", "cat", "unused 2", "background"])
    #expect(manifest.input.resize == .edges(shorter: 800, longer: 1333))
    #expect(manifest.constantInputs == [ConstantInput(name: "pixel_mask", values: [.number(1)])])
    #expect(manifest.detector?.head == .boxes(.cxcywh, .relative))
    #expect(manifest.activation == .softmax && manifest.detector?.bestClassOnly == true)
    #expect(manifest.detector?.overlap == 1)

    let square: JSONValue = [
      "do_resize": .bool(true), "do_rescale": .bool(true), "do_normalize": .bool(false),
      "do_pad": .bool(false), "resample": .integer(2),
      "size": ["height": .integer(640), "width": .integer(640)],
    ]
    let other = try ModelManifest(
      yaml: draft(
        [nil, nil, nil, nil], [("logits", [nil, 300, 2]), ("pred_boxes", [nil, 300, 4])],
        detr("rt_detr", names: ["0": "cat", "1": "dog"], processor: square), name: "pixel_values"),
      path: "m.yaml")
    #expect(other.activation == .sigmoid && other.outputs == ["cat", "dog"])
    #expect(other.input.resize == .stretch && other.input.size.width == 640)
    // A detector whose logits nobody described keeps its open lines.
    let unknown = draft(
      [nil, 3, nil, nil], [("logits", [nil, 100, 2]), ("pred_boxes", [nil, 100, 4])],
      detr("owlvit", names: ["0": "cat", "1": "dog"]), name: "pixel_values")
    #expect(ModelManifest.openKeys(ofDraft: unknown).contains("activation"))
    #expect(unknown.contains("box-units: relative  # TODO"))
  }

  @Test("A DETR of a fixed size keeps the file's mean and deviation, and its resize stays open")
  func fixedDETR() throws {
    let outputs: [(String, [Int?])] = [("logits", [nil, 100, 3]), ("pred_boxes", [nil, 100, 4])]
    let names: JSONValue = ["0": "cat", "1": "dog"]
    let text = draft(
      [nil, 3, 800, 800], outputs, detr("detr", names: names), name: "pixel_values")
    #expect(text.contains("  mean: [0.485, 0.456, 0.406]\n  std: [0.229, 0.224, 0.225]\n"))
    #expect(text.contains("  width: 800\n  height: 800\n") && !text.contains("scale:"))
    #expect(ModelManifest.openKeys(ofDraft: text) == ["resize"])
    // Preprocessing that nobody described stays open, whatever is known of the boxes.
    let unknown = draft(
      [nil, 3, 800, 800], outputs,
      detr("detr", names: names, processor: ["image_processor_type": "MyProcessor"]),
      name: "pixel_values")
    #expect(
      Set(["scale", "offset", "resize", "color"])
        .isSubset(of: ModelManifest.openKeys(ofDraft: unknown)))
  }

  @Test("Other known inputs get a value, which stays to be checked")
  func otherInputs() {
    let text = draft(
      [nil, 3, 640, 640], [("a", [nil, 6])], ModelMetadata(), name: "image",
      more: [
        TensorSignature(name: "im_shape", element: "f32", shape: [nil, 2]),
        TensorSignature(name: "strange", element: "f32", shape: [nil, 2]),
      ])
    #expect(text.contains("\"im_shape\": [height, width]  # TODO"))
    #expect(text.contains("\"strange\": 0  # TODO"))
  }

  @Test("model_info of an IR: names, resize, values, and what leaves it open")
  func modelInfo() throws {
    func facts(_ more: String) -> IRModelFacts? {
      IRModelFacts(
        Array(
          """
          <net><rt_info><model_info>
          <labels value="cat big_dog a&amp;b"/><model_type value="Classification" />\(more)
          </model_info></rt_info></net>
          """.utf8))
    }
    let whole = try #require(
      facts(
        """
        <resize_type value="fit_to_window_letterbox"/><pad_value value="114"/>
        <reverse_input_channels value="YES"/><scale_values value="58.5 57 57.5"/><mean_values value="123 116 103"/>
        """))
    #expect(whole.names == ["cat", "big_dog", "a&b"])
    var metadata = ModelMetadata()
    metadata.statedInput = whole.input.map { .init(key: $0.key, value: $0.value) }
    let text = draft([1, 3, 64, 96], [("o", [1, 3])], metadata)
    let keys = ModelManifest.openKeys(ofDraft: text)
    #expect(!keys.contains("scale") && !keys.contains("resize") && keys.contains("activation"))
    let manifest = try ModelManifest(
      yaml: text.replacing("# TODO", with: "#").replacing("class ", with: "c"), path: "m.yaml")
    #expect(
      manifest.input.resize == .letterbox(fill: 114, anchor: .center, rounding: .nearest))
    #expect(manifest.input.size == ImageSize(width: 96, height: 64))
    let scales: [Double] = [58.5, 57, 57.5]
    let means: [Double] = [123, 116, 103]
    #expect(manifest.input.scale == scales.map { 1 / $0 })
    #expect(manifest.input.offset == zip(means, scales).map { -$0 / $1 })
    #expect(facts("<resize_type value=\"standard\"/>")?.input.isEmpty == true)
    #expect(
      facts("<resize_type value=\"crop\"/><reverse_input_channels value=\"NO\"/>")?.input.isEmpty
        == true)
    #expect(
      facts(
        "<embedded_processing value=\"True\"/><resize_type value=\"standard\"/><reverse_input_channels value=\"NO\"/>"
      )?.input.isEmpty == true)
    let plain = facts("<resize_type value=\"standard\"/><reverse_input_channels value=\"False\"/>")
    let color = plain?.input.first { $0.key == "color" }?.value
    #expect(color == "bgr")
    #expect(IRModelFacts(Array("<net></net>".utf8)) == nil)
    #expect(IRModelFacts(Array("</model_info><model_info>".utf8)) == nil)
  }

  /// A zip archive of one stored file, as Python's zipfile writes it, behind some other bytes.
  private static func archive(_ name: String, _ text: String, method: UInt8 = 0) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let lead: [UInt8] = Array("model bytes".utf8)
    let sizes = number(0, 4) + number(text.utf8.count, 4) + number(text.utf8.count, 4)
    let local =
      number(0x0403_4b50, 4) + number(20, 2) + number(0, 2) + [method, 0] + number(0, 4) + sizes
      + number(name.utf8.count, 2) + number(0, 2) + Array(name.utf8) + Array(text.utf8)
    let central =
      number(0x0201_4b50, 4) + number(20, 2) + number(20, 2) + number(0, 2) + [method, 0]
      + number(0, 4) + sizes + number(name.utf8.count, 2) + number(0, 2) + number(0, 2)
      + number(0, 2) + number(0, 2) + number(0, 4) + number(lead.count, 4) + Array(name.utf8)
    let end =
      number(0x0605_4b50, 4) + number(0, 4) + number(1, 2) + number(1, 2)
      + number(central.count, 4) + number(lead.count + local.count, 4) + number(0, 2)
    return lead + local + central + end
  }

  @Test("The labels that a TensorFlow Lite model carries")
  func tflite() {
    #expect(TFLiteLabels.names(Self.archive("labels.txt", "cat\ndog\n")) == ["cat", "dog"])
    #expect(TFLiteLabels.names(Self.archive("probability-labels-en.txt", "a\r\nb")) == ["a", "b"])
    #expect(TFLiteLabels.names(Self.archive("labels.txt", "cat\ncat\n")) == [])
    #expect(TFLiteLabels.names(Self.archive("labels.txt", "cat", method: 8)) == [])
    #expect(TFLiteLabels.names(Self.archive("readme.txt", "cat")) == [])
    let whole = Self.archive("labels.txt", "cat\ndog\n")
    // Damaged bytes give no names, or those that are there, and never stop the program.
    for place in whole.indices {
      for value in [0, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[place] = value
        _ = TFLiteLabels.names(bytes)
      }
      #expect(TFLiteLabels.names(Array(whole[..<place])) == [])
    }
  }
}
