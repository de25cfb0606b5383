extension ModelManifest {
  /// A manifest's text for a model, as far as its inputs and outputs tell; what a person must settle ends
  /// in `# ?`, and is refused until that is taken away.
  ///
  /// - Parameter name: the model's name.
  package static func draft(for signature: ModelSignature, name: String) -> String {
    let input = signature.inputs.first
    let guess = InputGuess(input?.shape ?? [])
    let output = signature.outputs.first
    let count = output.flatMap(classCount(of:)) ?? 0
    var lines = [
      "# How assay feeds this model and reads its answers. Settle each line marked"
    ]
    lines.append("# “# ?”, then take the mark away.")
    for tensor in signature.inputs { lines.append("# input  \(tensor)") }
    for tensor in signature.outputs { lines.append("# output \(tensor)") }
    lines += [
      "name: \(quoted(name))", "task: classification", "source: where the model is from  # ?",
      "licence: its licence  # ?", "input:",
      "  width: \(guess.width ?? 224)\(guess.width == nil ? "  # ?" : "")",
      "  height: \(guess.height ?? 224)\(guess.height == nil ? "  # ?" : "")",
      "  layout: \(guess.layout?.rawValue ?? "NHWC  # ?")",
      "  colour: " + (guess.channels == 1 ? "gray" : "rgb  # ? gray, rgb or bgr"),
      "  scale: 1/255  # ? a pixel of 0...255 becomes pixel * scale + offset",
      "  offset: 0  # ?", "  resize: stretch  # ? stretch, center-crop or letterbox",
      "activation: none  # ? none where the model ends in softmax itself, softmax or sigmoid",
    ]
    if signature.outputs.count > 1 {
      lines.append("output: \(quoted(output?.name ?? ""))  # ? the output to read")
    }
    lines.append("classes:  # ? the names in output order, as the dataset spells them")
    let listed = min(max(count, 1), 1000)
    for index in 0..<listed { lines.append("  - class \(index)") }
    if count > listed {
      lines.append("  # ? and \(count - listed) more; is this a classifier?")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A text as YAML that is always a string.
  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      default: scalar.value < 0x20 ? " " : String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}

/// What the shape of an input tells of the picture it wants.
private struct InputGuess {
  var layout: ModelInput.Layout?
  var channels: Int?
  var width: Int?
  var height: Int?

  init(_ shape: [Int?]) {
    guard shape.count == 4 else { return }
    let isPicture = { (channels: Int?) in channels == 1 || channels == 3 }
    if isPicture(shape[3]), !isPicture(shape[1]) {
      (layout, height, width, channels) = (.nhwc, shape[1], shape[2], shape[3])
    } else if isPicture(shape[1]), !isPicture(shape[3]) {
      (layout, channels, height, width) = (.nchw, shape[1], shape[2], shape[3])
    }
  }
}
