import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// The files are those that transformers 5.23 writes for `google/vit-base-patch16-224`, `microsoft/resnet-50`,
/// `facebook/convnext-tiny-224` and DETR, shortened.
@Suite("Drafts from Hugging Face's files")
struct HuggingFaceFilesTests {
  private static let config = """
    {"architectures": ["ViTForImageClassification"], "model_type": "vit", "image_size": 224,
     "id2label": {"1": "dog", "0": "cat"}, "label2id": {"cat": 0, "dog": 1}}
    """
  private static let vit = """
    {"do_normalize": true, "do_rescale": true, "do_resize": true, "image_mean": [0.5, 0.5, 0.5],
     "image_processor_type": "ViTImageProcessor", "image_std": [0.5, 0.5, 0.5], "resample": 2,
     "rescale_factor": 0.00392156862745098, "size": {"height": 224, "width": 224}}
    """
  private static let signature = ModelSignature(
    inputs: [TensorSignature(name: "pixel_values", element: "f32", shape: [nil, nil, nil, nil])],
    outputs: [TensorSignature(name: "logits", element: "f32", shape: [nil, 2])])

  private static func files(_ config: String, _ processor: String?) throws -> HuggingFaceFiles {
    HuggingFaceFiles(
      config: try JSONValue(parsing: config),
      processor: try processor.map { try JSONValue(parsing: $0) })
  }

  @Test("A classifier's draft has no open line, and its manifest is what the processor does")
  func complete() throws {
    var metadata = ModelMetadata()
    metadata.add(try Self.files(Self.config, Self.vit))
    let draft = ModelManifest.draft(for: Self.signature, name: "vit", metadata: metadata)
    #expect(ModelManifest.openKeys(ofDraft: draft).isEmpty, "\(draft)")
    let manifest = try ModelManifest(yaml: draft, path: "vit.yaml")
    #expect(manifest.classes == ["cat", "dog"] && manifest.activation == .softmax)
    #expect(manifest.task.output == .label)
    #expect(manifest.input.layout == .nchw && manifest.input.color == .rgb)
    #expect(manifest.input.resize == .stretch && manifest.input.filter == .pillowBilinear)
    #expect(abs(manifest.input.value(of: 255, channel: 2) - 1) < 1e-12)
    #expect(abs(manifest.input.value(of: 0, channel: 0) + 1) < 1e-12)
  }

  @Test(
    "A step or an image processor that is not known leaves the preprocessing open",
    arguments: [
      #""do_grayscale": true"#, #""include_top": true"#, #""rescale_offset": true"#,
      #""auto_map": {"AutoImageProcessor": "own.Processor"}"#,
      #""image_processor_type": "LevitImageProcessor""#, #""do_thumbnail": true"#,
    ])
  func unknownStep(_ member: String) throws {
    let known = Self.vit.replacing(#""image_processor_type": "ViTImageProcessor", "#, with: "")
    #expect(try !Self.files(Self.config, known).input.isEmpty)
    let files = try Self.files(Self.config, known.replacing("{\"do_n", with: "{\(member), \"do_n"))
    #expect(files.input.isEmpty && files.task == .classification)
  }

  @Test("A regression has no task, whatever classes the file names")
  func regression() throws {
    let config = Self.config.replacing("{\"arch", with: #"{"problem_type": "regression", "arch"#)
    #expect(try Self.files(config, Self.vit).task == nil)
  }

  @Test("Crops: the shorter side, ConvNeXt's share")
  func crops() throws {
    for (processor, shorter, filter) in [
      (
        """
        {"crop_size": {"height": 224, "width": 224}, "do_center_crop": true, "do_normalize": true,
         "do_rescale": true, "do_resize": true, "image_mean": [0.485, 0.456, 0.406],
         "image_std": [0.229, 0.224, 0.225], "resample": 3, "rescale_factor": 0.00392156862745098,
         "size": {"shortest_edge": 256}}
        """, "256", "pillow-bicubic"
      ),
      (
        """
        {"crop_pct": 0.875, "do_normalize": true, "do_rescale": true, "do_resize": true,
         "image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225], "resample": 3,
         "rescale_factor": 0.00392156862745098, "size": {"shortest_edge": 224}}
        """, "256", "pillow-bicubic"
      ),
    ] {
      let input = try Self.files(Self.config, processor).input
      #expect(input.first { $0.key == "resize" }?.value == "shorter-crop")
      #expect(input.first { $0.key == "shorter" }?.value == shorter)
      #expect(input.first { $0.key == "rounding" }?.value == "down")
      #expect(input.first { $0.key == "filter" }?.value == filter)
      #expect(input.first { $0.key == "mean" }?.value == "[0.485, 0.456, 0.406]")
    }
  }

  @Test("DeiT's crop of an image that is stretched before")
  func stretchedCrop() throws {
    let deit = """
      {"crop_size": {"height": 224, "width": 224}, "do_center_crop": true, "do_normalize": true,
       "do_rescale": true, "do_resize": true, "image_mean": [0.485, 0.456, 0.406],
       "image_std": [0.229, 0.224, 0.225], "resample": 3, "rescale_factor": 0.00392156862745098,
       "size": {"height": 256, "width": 256}}
      """
    var metadata = ModelMetadata()
    metadata.add(try Self.files(Self.config, deit))
    let draft = ModelManifest.draft(for: Self.signature, name: "deit", metadata: metadata)
    #expect(ModelManifest.openKeys(ofDraft: draft).isEmpty, "\(draft)")
    let input = try ModelManifest(yaml: draft, path: "deit.yaml").input
    #expect(
      input.resize == .stretchCrop(side: 256, rounding: .down) && input.filter == .pillowBicubic)
    #expect(input.size.width == 224 && input.size.height == 224)
    // Cut out of less than that is no crop.
    let wider = deit.replacing(
      "\"size\": {\"height\": 256, \"width\": 256}",
      with: "\"size\": {\"height\": 200, \"width\": 200}")
    #expect(try !Self.files(Self.config, wider).input.contains { $0.key == "resize" })
  }

  @Test("Steps that a file leaves out are those of its class; a crop that it leaves out is open")
  func defaults() throws {
    let old = """
      {"feature_extractor_type": "ViTFeatureExtractor", "do_normalize": true, "do_resize": true,
       "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5], "resample": 2, "size": 224}
      """
    let input = try Self.files(Self.config, old).input
    #expect(input.first { $0.key == "resize" }?.value == "stretch")
    #expect(input.first { $0.key == "mean" }?.value == "[0.5, 0.5, 0.5]")
    let convNext = old.replacing("ViT", with: "ConvNext").replacing(
      "\"size\"", with: "\"crop_pct\": 0.875, \"size\"")
    let crop = try Self.files(Self.config, convNext).input
    #expect(crop.first { $0.key == "resize" }?.value == "shorter-crop")
    #expect(crop.first { $0.key == "shorter" }?.value == "256")
    let whole = try Self.files(Self.config, old.replacing("ViT", with: "ConvNext")).input
    #expect(whole.first { $0.key == "shorter" }?.value == "256")
    let mobile = """
      {"image_processor_type": "MobileViTImageProcessor", "crop_size": {"height": 256, "width": 256},
       "do_center_crop": true, "do_flip_channel_order": true, "resample": 2, "size": {"shortest_edge": 288}}
      """
    #expect(try Self.files(Self.config, mobile).input.first { $0.key == "scale" }?.value == "1/255")
    // The class normalizes unless the file says otherwise, by numbers that it does not have.
    let bare = """
      {"image_processor_type": "ViTImageProcessor", "do_resize": true, "resample": 0,
       "size": {"height": 224, "width": 224}}
      """
    #expect(try Self.files(Self.config, bare).input.isEmpty)
    for text in [
      old.replacing("\"feature_extractor_type\": \"ViTFeatureExtractor\", ", with: ""),
      old.replacing("ViT", with: "CLIP"), old.replacing("ViT", with: "PoolFormer"),
    ] {
      #expect(try Self.files(Self.config, text).input.isEmpty, "\(text)")
    }
    // EfficientNet's class divides by a variance, too, unless the file says that it does not.
    let efficient = Self.vit.replacing("ViT", with: "EfficientNet")
    #expect(try Self.files(Self.config, efficient).input.isEmpty)
    let plain = efficient.replacing("\"resample\"", with: "\"include_top\": false, \"resample\"")
    #expect(try !Self.files(Self.config, plain).input.isEmpty)
    let square = Self.vit.replacing(
      "\"resample\"", with: "\"default_to_square\": true, \"resample\"")
    #expect(try !Self.files(Self.config, square).input.isEmpty)
  }

  @Test("What has no counterpart is left open: DETR's edges, padding, Lanczos, other rescaling")
  func open() throws {
    for processor in [
      Self.vit.replacingOccurrences(
        of: "\"height\": 224, \"width\": 224",
        with: "\"shortest_edge\": 800, \"longest_edge\": 1333"),
      Self.vit.replacingOccurrences(of: "\"resample\": 2", with: "\"resample\": 1"),
      Self.vit.replacingOccurrences(of: "\"do_resize\": true", with: "\"do_resize\": false"),
      Self.vit.replacingOccurrences(of: "\"resample\"", with: "\"do_pad\": true, \"resample\""),
      Self.vit.replacingOccurrences(of: "0.00392156862745098", with: "0.0078"),
      Self.vit.replacingOccurrences(
        of: "\"image_std\": [0.5, 0.5, 0.5]", with: "\"image_std\": [0.5, 0, 0.5]"),
      Self.vit.replacingOccurrences(of: "\"height\": 224", with: "\"height\": -1"), "{}", "[]",
    ] {
      #expect(try Self.files(Self.config, processor).input.isEmpty, "\(processor)")
    }
    // The model's own shape comes first.
    var metadata = ModelMetadata()
    metadata.add(try Self.files(Self.config, Self.vit))
    let fixed = ModelSignature(
      inputs: [TensorSignature(name: "x", element: "f32", shape: [1, 3, 384, 384])],
      outputs: Self.signature.outputs)
    let draft = ModelManifest.draft(for: fixed, name: "vit", metadata: metadata)
    #expect(
      draft.contains("width: 384") && ModelManifest.openKeys(ofDraft: draft).contains("scale"))
  }

  @Test(
    "Names: a gap, a number out of range, and a repeated name are none; several labels; other kinds"
  )
  func names() throws {
    for labels in [
      "{\"0\": \"a\", \"2\": \"b\"}", "{\"0\": \"a\", \"-1\": \"b\"}",
      "{\"0\": \"a\", \"1\": \"a\"}",
      "{\"0\": 1}", "[]",
    ] {
      let config = "{\"model_type\": \"vit\", \"id2label\": \(labels)}"
      #expect(try Self.files(config, nil).names.isEmpty)
    }
    let several = Self.config.replacingOccurrences(
      of: "\"image_size\"", with: "\"problem_type\": \"multi_label_classification\", \"image_size\""
    )
    #expect(try Self.files(several, nil).activation == .sigmoid)
    #expect(
      try Self.files(
        Self.config.replacingOccurrences(of: "ImageClassification", with: "Masked"), nil
      )
      .task == nil)
  }

  @Test("The files are found beside the model and above the Hub's folder onnx")
  func places() throws {
    let folder = try TemporaryFolder()
    try folder.write("config.json", Self.config)
    try folder.write("preprocessor_config.json", Self.vit)
    #expect(HuggingFaceFiles(besideModel: folder.path + "/model.onnx")?.names == ["cat", "dog"])
    #expect(HuggingFaceFiles(besideModel: folder.path + "/onnx/model.onnx")?.input.isEmpty == false)
    #expect(HuggingFaceFiles(besideModel: folder.path + "/other/model.onnx") == nil)
    try folder.write("config.json", "{\"name\": \"something else\"}")
    #expect(HuggingFaceFiles(besideModel: folder.path + "/model.onnx") == nil)
  }
}
