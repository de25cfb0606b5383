import AssayCore
import AssayImaging
import Foundation

/// The files that Hugging Face's libraries write beside a model: `config.json` with the names of the classes
/// and the kind of model, `preprocessor_config.json` with the preprocessing.
///
/// Source of the keys: transformers 5.23, `PretrainedConfig` and the image processors' `to_dict`.
struct HuggingFaceFiles {
  /// The names of the classes in output order; empty if `id2label` is missing or its keys are not 0, 1, ….
  private(set) var names: [String] = []
  /// The manifest's task; `nil` for architectures that assay has no task for.
  private(set) var task: ModelTask?
  /// The function that the architecture's logits need; `nil` if that is unknown.
  private(set) var activation: Activation?
  /// The lines below `input:` that the files state, by key; empty if they leave the resize open.
  private(set) var input: [(key: String, value: String)] = []

  /// True for detectors that give `logits` and `pred_boxes`.
  private(set) var isDETR = false

  /// The maximum size of a file in bytes.
  private static let limit = 16 << 20

  /// The files beside a model, or above it if it is in a folder `onnx`, as on the Hub; `nil` if there is no
  /// `config.json` of Hugging Face.
  init?(besideModel path: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    var folders = [folder]
    if ["onnx", "openvino"].contains(folder.lastPathComponent) {
      folders.append(folder.deletingLastPathComponent())
    }
    for folder in folders {
      guard let config = Self.read(folder.appendingPathComponent("config.json").path),
        config.member("model_type")?.text != nil
      else { continue }
      self.init(
        config: config,
        processor: Self.read(folder.appendingPathComponent("preprocessor_config.json").path))
      return
    }
    return nil
  }

  init(config: JSONValue, processor: JSONValue?) {
    names = Self.names(config.member("id2label"))
    let architecture = config.member("architectures")?.elements?.first?.text ?? ""
    if architecture.hasSuffix("ForImageClassification") {
      // A regression gives one number for an image, whatever the names say.
      let problem = config.member("problem_type")?.text
      let isMultiLabel = problem == "multi_label_classification"
      if problem != "regression" {
        task = isMultiLabel ? .multiLabel : .classification
        activation = isMultiLabel ? .sigmoid : .softmax
      }
    } else if architecture.hasSuffix("ForSemanticSegmentation") {
      task = .segmentation
      activation = .softmax
    } else if architecture.hasSuffix("ForObjectDetection"),
      let function = Self.detectors[config.member("model_type")?.text ?? ""]
    {
      task = .detection
      activation = function
      isDETR = true
      // The last logit of a softmax is that of no object.
      if function == .softmax, !names.isEmpty { names.append(ModelManifest.backgroundName) }
    }
    if let processor { input = Self.input(processor, isDetector: isDETR) ?? [] }
  }

  /// The function of the logits of each kind of detector, as its processor's
  /// `post_process_object_detection` applies it.
  private static let detectors: [String: Activation] = [
    "detr": .softmax, "yolos": .softmax, "table-transformer": .softmax,
    "conditional_detr": .sigmoid, "deformable_detr": .sigmoid, "dab-detr": .sigmoid,
    "rt_detr": .sigmoid, "rt_detr_v2": .sigmoid, "d_fine": .sigmoid,
  ]

  private static func read(_ path: String) -> JSONValue? {
    guard let bytes = try? FileBytes.all(of: path, limit: limit) else { return nil }
    return try? JSONValue(parsing: bytes, JSONReading())
  }

  private static func names(_ value: JSONValue?) -> [String] {
    guard let members = value?.members, members.count <= ModelManifest.classLimit else { return [] }
    var names: [String?] = Array(repeating: nil, count: members.count)
    for member in members {
      guard let index = Int(member.name), names.indices.contains(index),
        let name = member.value.text, !name.isEmpty
      else { return [] }
      names[index] = name
    }
    // COCO's ids that name no class are all called so.
    let whole = names.enumerated().compactMap { $1 == "N/A" ? "unused \($0)" : $1 }
    return whole.count == names.count && Set(whole).count == whole.count ? whole : []
  }

  /// The keys of the manifest's input that an image processor states; `nil` if one of its steps has no
  /// counterpart.
  ///
  /// - Parameter isDetector: true for a model that gets images without padding, each in its own size. The
  ///   processor pads only within batches.
  private static func input(
    _ processor: JSONValue, isDetector: Bool
  ) -> [(key: String, value: String)]? {
    guard isKnown(processor) else { return nil }
    // Files of 2021 and 2022 leave out what their class does by default, which a kind that is not stated leaves open.
    let isOfKind = kind(of: processor) != nil
    func isOn(_ key: String) -> Bool {
      if key == "do_normalize", kind(of: processor) == unnormalized { return false }
      return processor.member(key)?.bool ?? (isOfKind && usual.contains(key))
    }
    if isOfKind, processor.member("do_center_crop") == nil,
      cropping.contains(kind(of: processor) ?? "")
    {
      return nil
    }
    let isPadded = isOn("do_pad") && !(isDetector && processor.member("pad_size")?.members == nil)
    guard isOn("do_resize"), !isPadded, let resize = resize(processor, isDetector: isDetector)
    else { return nil }
    var keys = resize
    let filters = [0: "nearest", 2: "pillow-bilinear", 3: "pillow-bicubic"]
    guard let filter = filters[processor.member("resample")?.whole ?? -1] else { return nil }
    keys.append(("filter", filter))
    keys.append(("color", isOn("do_flip_channel_order") ? "bgr" : "rgb"))
    let factor = isOn("do_rescale") ? processor.member("rescale_factor")?.double ?? 1 / 255 : 1
    guard isOn("do_normalize") else {
      return factor.isFinite && factor > 0
        ? keys + [("scale", text(factor)), ("offset", "0")] : nil
    }
    guard let mean = numbers(processor.member("image_mean")),
      let deviation = numbers(processor.member("image_std")), mean.count == deviation.count,
      deviation.allSatisfy({ $0 > 0 }), abs(factor * 255 - 1) < 1e-6
    else { return nil }
    return keys + [("mean", text(mean)), ("std", text(deviation))]
  }

  /// The switches of an image processor that are read here, or that change no pixel.
  private static let switches: Set<String> = [
    "do_resize", "do_rescale", "do_normalize", "do_center_crop", "do_pad", "do_flip_channel_order",
    "do_convert_rgb", "do_convert_annotations", "do_reduce_labels", "do_convert_annotation",
    "reduce_labels",
    "return_tensors", "use_fast", "disable_grouping", "default_to_square",
  ]
  /// The image processors of models whose steps are those of the switches and sizes alone.
  private static let processors: Set<String> = [
    "BeitImageProcessor", "BitImageProcessor", "BlipImageProcessor", "CLIPImageProcessor",
    "ConditionalDetrImageProcessor", "ConvNextImageProcessor", "DPTImageProcessor",
    "DeformableDetrImageProcessor", "DeiTImageProcessor", "DetrImageProcessor",
    "EfficientNetImageProcessor", "MobileNetV1ImageProcessor", "MobileNetV2ImageProcessor",
    "MobileViTImageProcessor", "PoolFormerImageProcessor",
    "PvtImageProcessor", "RTDetrImageProcessor", "SegformerImageProcessor", "SiglipImageProcessor",
    "Siglip2ImageProcessor", "ViTImageProcessor",
    "YolosImageProcessor",
  ]

  /// The steps that the image processors of ``processors`` do unless a file switches them off.
  private static let usual: Set<String> = ["do_resize", "do_rescale", "do_normalize"]
  /// The image processor that has no step of that name.
  private static let unnormalized = "MobileViTImageProcessor"
  /// The image processors that cut out the center unless a file switches that off.
  private static let cropping: Set<String> = [
    "BeitImageProcessor", "BitImageProcessor", "CLIPImageProcessor", "DeiTImageProcessor",
    "MobileNetV1ImageProcessor", "MobileNetV2ImageProcessor", "MobileViTImageProcessor",
    "PoolFormerImageProcessor",
  ]

  /// The name of the image processor's class, in its present spelling; `nil` if the file has none.
  private static func kind(of processor: JSONValue) -> String? {
    let stated =
      processor.member("image_processor_type") ?? processor.member("feature_extractor_type")
    guard var kind = stated?.text else { return nil }
    for suffix in ["Fast", "Pil"] where kind.hasSuffix(suffix) { kind.removeLast(suffix.count) }
    return kind.replacing("FeatureExtractor", with: "ImageProcessor")
  }

  /// Returns whether every step of an image processor is one that is read here. A step that is not known leaves the
  /// whole preprocessing open: half of it would be worse than none.
  private static func isKnown(_ processor: JSONValue) -> Bool {
    guard processor.member("auto_map") == nil else { return false }
    if let kind = kind(of: processor) {
      guard processors.contains(kind) else { return false }
      // It divides by a variance, too, unless a file says that it does not.
      if kind == "EfficientNetImageProcessor", processor.member("include_top")?.bool != false {
        return false
      }
    }
    return (processor.members ?? []).allSatisfy {
      $0.value.bool != true || switches.contains($0.name)
    }
  }

  private static func resize(
    _ processor: JSONValue, isDetector: Bool
  ) -> [(key: String, value: String)]? {
    let size = wholeSize(processor)
    if isDetector, let shorter = size?.member("shortest_edge")?.whole,
      let longer = size?.member("longest_edge")?.whole, shorter > 0, longer >= shorter
    {
      // YOLOS cuts the sides to multiples of its patches.
      let kind = processor.member("image_processor_type")?.text ?? ""
      let multiple = kind.hasPrefix("Yolos") ? [(key: "multiple", value: "16")] : []
      return [("resize", "edges"), ("shorter", "\(shorter)"), ("longer", "\(longer)")] + multiple
    }
    let crops = processor.member("do_center_crop")?.bool ?? false
    if let height = size?.member("height")?.whole, let width = size?.member("width")?.whole {
      guard height > 0, width > 0 else { return nil }
      if crops {
        guard let cut = cropSize(processor), width == height, width >= max(cut.width, cut.height)
        else { return nil }
        return [
          ("width", "\(cut.width)"), ("height", "\(cut.height)"), ("resize", "stretch-crop"),
          ("shorter", "\(width)"), cropRounding,
        ]
      }
      return [("width", "\(width)"), ("height", "\(height)"), ("resize", "stretch")]
    }
    guard var shorter = size?.member("shortest_edge")?.whole, shorter > 0,
      size?.member("longest_edge") == nil
    else { return nil }
    let isConvNeXt = kind(of: processor) == "ConvNextImageProcessor"
    if let share = processor.member("crop_pct")?.double ?? (isConvNeXt ? 224.0 / 256 : nil) {
      // ConvNeXt's: up to 384 pixels the shorter side becomes size / crop_pct and the size is cut out.
      guard shorter < 384, share > 0, share <= 1 else {
        return [("width", "\(shorter)"), ("height", "\(shorter)"), ("resize", "stretch")]
      }
      let side = shorter
      shorter = Int(Double(side) / share)
      return [
        ("width", "\(side)"), ("height", "\(side)"), ("resize", "shorter-crop"),
        ("shorter", "\(shorter)"), cropRounding,
      ]
    }
    guard crops, let cut = cropSize(processor), shorter >= max(cut.width, cut.height) else {
      return nil
    }
    return [
      ("width", "\(cut.width)"), ("height", "\(cut.height)"), ("resize", "shorter-crop"),
      ("shorter", "\(shorter)"), cropRounding,
    ]
  }

  /// The position of a crop is rounded down by transformers.
  private static let cropRounding = (key: "rounding", value: CropRounding.down.rawValue)

  /// The size, of which old files have one number: both sides of a processor that makes squares, else the shorter one.
  private static func wholeSize(_ processor: JSONValue) -> JSONValue? {
    let size = processor.member("size")
    guard let side = size?.whole, let kind = kind(of: processor) else { return size }
    let number = JSONValue(side)
    switch kind {
    case "ViTImageProcessor", "DeiTImageProcessor", "BeitImageProcessor",
      "SegformerImageProcessor":
      return ["height": number, "width": number]
    case "CLIPImageProcessor", "ConvNextImageProcessor": return ["shortest_edge": number]
    default: return nil
    }
  }

  /// The size that is cut out of the center.
  private static func cropSize(_ processor: JSONValue) -> (width: Int, height: Int)? {
    let crop = processor.member("crop_size")
    guard let height = crop?.member("height")?.whole ?? crop?.whole,
      let width = crop?.member("width")?.whole ?? crop?.whole, height > 0, width > 0
    else { return nil }
    return (width, height)
  }

  private static func numbers(_ value: JSONValue?) -> [Double]? {
    guard let elements = value?.elements, elements.count == 3 else { return nil }
    let numbers = elements.compactMap(\.double).filter(\.isFinite)
    return numbers.count == 3 ? numbers : nil
  }

  private static func text(_ values: [Double]) -> String {
    "[\(values.map(text).joined(separator: ", "))]"
  }

  private static func text(_ value: Double) -> String {
    abs(value * 255 - 1) < 1e-6 ? "1/255" : "\(value)"
  }
}
