import AssayCore

/// The size and layout of an image input, guessed from its shape.
struct InputGuess {
  var layout: ModelInput.Layout?
  var channels: Int?
  var width: Int?
  var height: Int?

  /// Both sides, if known.
  var size: (width: Int, height: Int)? {
    guard let width, let height else { return nil }
    return (width, height)
  }

  /// The lines of `input` that Hugging Face's files state; `nil` if they do not, or if the model's own shape
  /// says something else.
  func stated(by metadata: ModelMetadata) -> [String]? {
    let keys = metadata.statedInput
    func value(_ key: String) -> Int? { keys.first { $0.key == key }.flatMap { Int($0.value) } }
    guard !keys.isEmpty, channels.map({ $0 == 3 }) ?? true else { return nil }
    var sides: [String] = []
    if keys.contains(where: { $0.key == "longer" }) {
      // Images of any size need a model of any size; of one with a fixed size, only the values are known.
      guard shapeWidth == nil, shapeHeight == nil else {
        guard let shapeWidth, let shapeHeight else { return nil }
        let resize: Set = ["resize", "shorter", "longer", "multiple"]
        return [
          "input:  # the values are as \(metadata.inputSource) states them",
          "  layout: \((self.layout ?? .nchw).rawValue)", "  width: \(shapeWidth)",
          "  height: \(shapeHeight)",
          "  resize: stretch\(ModelManifest.todo): the model has a fixed size, but the file resizes to any:"
            + " stretch or letterbox, as the model was exported",
        ] + keys.filter { !resize.contains($0.key) }.map { "  \($0.key): \($0.value)" }
      }
    } else if let width = value("width"), let height = value("height") {
      guard shapeWidth ?? width == width, shapeHeight ?? height == height else { return nil }
    } else {
      guard let width, let height else { return nil }
      sides = ["  width: \(width)", "  height: \(height)"]
    }
    // transformers' models in PyTorch take the channels first.
    let layout = self.layout ?? .nchw
    let source = metadata.inputSource
    let remark = source.hasPrefix("the exporter") ? "as \(source)" : "as \(source) states it"
    return ["input:  # \(remark)", "  layout: \(layout.rawValue)"] + sides
      + keys.map { "  \($0.key): \($0.value)" }
  }

  /// The sides in the model's own shape, if they are not open there.
  private var shapeWidth: Int?
  private var shapeHeight: Int?

  /// - Parameter metadata: states the size if the model takes any.
  init(_ tensor: TensorSignature?, _ metadata: ModelMetadata) {
    self.init(tensor?.shape ?? [])
    (shapeWidth, shapeHeight) = (width, height)
    if metadata.isUltralytics {
      if layout == nil { (layout, channels) = (.nchw, 3) }
      width = width ?? metadata.imageSize?.width
      height = height ?? metadata.imageSize?.height
    }
    // transformers' name of an input with the channels first.
    suggestsChannelsFirst = tensor?.name == "pixel_values"
  }

  /// True if an open layout is likely to be NCHW.
  var suggestsChannelsFirst = false

  private init(_ shape: [Int?]) {
    // An input without a batch dimension takes one image.
    let shape = shape.count == 3 ? [nil] + shape : shape
    guard shape.count == 4 else { return }
    let isPicture = { (channels: Int?) in channels == 1 || channels == 3 }
    if isPicture(shape[3]), !isPicture(shape[1]) {
      (layout, height, width, channels) = (.nhwc, shape[1], shape[2], shape[3])
    } else if isPicture(shape[1]), !isPicture(shape[3]) {
      (layout, channels, height, width) = (.nchw, shape[1], shape[2], shape[3])
    }
  }
}
