/// The preprocessing of a library, for the keys of `input` that a manifest leaves out. The raw value
/// is the manifest's spelling.
enum InputPreset: String, CaseIterable {
  /// torchvision's weights: shorter side 256, crop 224, antialiased, ImageNet's mean and deviation.
  case torchvision
  /// timm's default: the same with a bicubic filter and a crop of 0.875.
  case timm
  /// Ultralytics' detectors: letterbox, gray border, pixels in 0...1.
  case ultralytics
  /// Ultralytics' classifiers: shorter side and crop of the input's size, antialiased.
  case ultralyticsClassify = "ultralytics-classify"
  /// Keras' image datasets: stretched without antialiasing and without rounding; pixels in 0...255.
  case keras
  /// YOLOX: letterbox at the top left, gray border, blue before red, pixels in 0...255.
  case yolox
  /// DETR and its relatives in Hugging Face's transformers: shorter side 800, longer side at most 1333,
  /// antialiased, ImageNet's mean and deviation.
  case detr
  /// MediaPipe: exactly in the middle, sampled from corner to corner, black around it. The range of
  /// values differs from model to model.
  case mediapipe

  /// The values of keys, as text.
  ///
  /// - Parameter has: tells the keys that the manifest gives itself. A manifest's own `resize` drops the
  ///   preset's details of its resize, its own `scale` or `mean` the preset's values.
  func values(replacing has: (String) -> Bool) -> [String: [String]] {
    var values = own
    if has("resize") {
      for key in ["shorter", "longer", "fill", "anchor", "rounding", "multiple"] {
        values[key] = nil
      }
    }
    if ["scale", "offset", "mean", "std"].contains(where: has) {
      for key in ["scale", "offset", "mean", "std"] { values[key] = nil }
    }
    if has("colour") { values["color"] = nil }
    return values.filter { !has($0.key) }
  }

  private var own: [String: [String]] {
    let imageNet = ["mean": ["0.485", "0.456", "0.406"], "std": ["0.229", "0.224", "0.225"]]
    let square = { (side: String) in ["width": [side], "height": [side]] }
    let values: [String: [String]]
    switch self {
    case .torchvision:
      values = ["resize": ["shorter-crop"], "shorter": ["256"], "filter": ["pillow-bilinear"]]
        .merging(imageNet) { $1 }.merging(square("224")) { $1 }
    case .timm:
      values = ["resize": ["shorter-crop"], "shorter": ["256"], "filter": ["pillow-bicubic"]]
        .merging(imageNet) { $1 }.merging(square("224")) { $1 }
    case .ultralytics:
      values = [
        "resize": ["letterbox"], "fill": ["114"], "anchor": ["center"], "rounding": ["nearest"],
        "scale": ["1/255"], "offset": ["0"],
      ].merging(square("640")) { $1 }
    case .ultralyticsClassify:
      values = [
        "resize": ["shorter-crop"], "shorter": ["224"], "filter": ["pillow-bilinear"],
        "scale": ["1/255"], "offset": ["0"],
      ].merging(square("224")) { $1 }
    case .detr:
      values = [
        "resize": ["edges"], "shorter": ["800"], "longer": ["1333"],
        "filter": ["pillow-bilinear"],
      ].merging(imageNet) { $1 }
    case .keras:
      return [
        "resize": ["stretch"], "filter": ["bilinear-float"], "layout": ["NHWC"],
        "color": ["rgb"], "scale": ["1"], "offset": ["0"],
      ]
    case .mediapipe:
      return [
        "resize": ["letterbox"], "fill": ["0"], "anchor": ["center"], "rounding": ["none"],
        "filter": ["warp"], "layout": ["NHWC"], "color": ["rgb"],
      ]
    case .yolox:
      return [
        "resize": ["letterbox"], "fill": ["114"], "anchor": ["top-left"],
        "rounding": ["yolox"], "layout": ["NCHW"],
        "color": ["bgr"], "scale": ["1"], "offset": ["0"],
      ]
    }
    return values.merging(["layout": ["NCHW"], "color": ["rgb"]]) { $1 }
  }
}
