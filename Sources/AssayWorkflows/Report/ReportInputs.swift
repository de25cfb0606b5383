import AssayCore
import AssayImaging
import AssayInference
import AssayReports
import AssayStore

/// The inputs of a run's model, computed again from the images and the manifest.
struct ReportInputs {
  private let input: ModelInput

  /// Returns `nil` for imported predictions, and if the manifest can no longer be read.
  init?(run: RunRecord) {
    guard let model = run.model,
      let manifest = try? ModelManifest(yaml: model.manifest, path: model.name)
    else { return nil }
    input = manifest.input
  }

  /// The tensors of some images next to the images; `nil` without images.
  func seen(_ pictures: [(key: String, raster: Raster<UInt8>)]) -> SeenInputs? {
    guard !pictures.isEmpty else { return nil }
    var preprocessor = Preprocessor(input)
    let samples = pictures.compactMap { key, raster -> SeenInputs.Sample? in
      let (values, size) = preprocessor.tensor(of: raster)
      guard let tensor = picture(of: values, size) else { return nil }
      return SeenInputs.Sample(key: key, original: raster, tensor: tensor)
    }
    return SeenInputs(recipe: recipe, samples: samples)
  }

  /// The tensor's values as an image, in RGB order.
  private func picture(of values: [Float], _ size: ImageSize) -> Raster<Float>? {
    let channels = input.color.channels
    let area = size.area
    guard values.count == area * channels else { return nil }
    var raster = Raster<Float>(
      repeating: 0, width: size.width, height: size.height, channels: channels)
    for pixel in 0..<area {
      for channel in 0..<channels {
        let from = input.layout == .nhwc ? pixel * channels + channel : channel * area + pixel
        let shown = input.color == .bgr ? channels - 1 - channel : channel
        raster.elements[pixel * channels + shown] = values[from]
      }
    }
    return raster
  }

  /// `[1, 64, 64, 1] float32 NHWC, gray, pixel × 2/255 − 1, stretched to 64×64`.
  private var recipe: String {
    let shape = input.shape(batch: 1).map { $0.map(String.init) ?? "?" }.joined(separator: ", ")
    let color =
      switch input.color {
      case .gray: "gray"
      case .rgb: "RGB"
      case .bgr: "BGR (shown as RGB)"
      }
    let arithmetic = Self.arithmetic(scale: input.scale, offset: input.offset)
    let filter = input.filter == .bilinear ? "" : ", filter \(input.filter.rawValue)"
    return
      "[\(shape)] float32 \(input.layout.rawValue), \(color), \(arithmetic), \(resize)\(filter)"
  }

  private var resize: String {
    switch input.resize {
    case .stretch: "stretched to \(input.size)"
    case .centerCrop: "center crop, resized to \(input.size)"
    case .shorterCrop(let shorter, _):
      "shorter side \(shorter), \(input.size) from the center"
    case .stretchCrop(let side, _):
      "stretched to \(side) × \(side), \(input.size) from the center"
    case .letterbox(let fill, let anchor, _, let multiple):
      "letterboxed into \(input.size) (\(anchor.rawValue), filled with \(fill)"
        + (multiple.map { ", sides cut to multiples of \($0)" } ?? "") + ")"
    case .edges(let shorter, let longer, let multiple):
      (shorter.map { "shorter side \($0), longer side at most \(longer)" }
        ?? "longer side \(longer)")
        + (multiple > 1 ? ", sides multiples of \(multiple)" : "")
    }
  }

  /// Returns the arithmetic on a pixel as text: `pixel × 2/255 − 1`. Operations without effect are left out.
  static func arithmetic(scale: [Double], offset: [Double]) -> String {
    var text = "pixel"
    if scale.contains(where: { $0 != 1 }) { text += " × " + list(scale) }
    guard offset.contains(where: { $0 != 0 }) else { return text }
    return offset.count == 1 && offset[0] < 0
      ? text + " − " + list(offset.map(\.magnitude)) : text + " + " + list(offset)
  }

  private static func list(_ values: [Double]) -> String {
    let texts = values.map { value in
      // In the usual form: 2/255, not 0.00784313725490196.
      let over255 = value * 255
      if value != 0, value.magnitude < 1, (over255 - over255.rounded()).magnitude < 1e-9 {
        return "\(Int(over255.rounded()))/255".replacing("-", with: "−")
      }
      let text = "\(value)".replacing("-", with: "−")
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    return texts.count == 1 ? texts[0] : "(" + texts.joined(separator: ", ") + ")"
  }
}
