import AssayCore

extension PromptManifest {
  /// The mean and the deviation of ImageNet's pixels from 0 to 255, as SAM's authors round them.
  private static let samMean = [123.675, 116.28, 103.53]
  private static let samDeviation = [58.395, 57.12, 57.375]
  /// The sides of the decoder's mask input and of SAM's features, in parts of the encoder's input.
  private static let maskParts = 4

  /// Recognizes a pair by the names and shapes of its inputs and outputs.
  ///
  /// Sources: `segment_anything/utils/onnx.py` of segment_anything 1.0; `export_encoder.py`, `sam_onnx.py`,
  /// `export_sam2.py` and `sam2_onnx.py` of samexporter 0.5.0.
  ///
  /// - Throws: ``PromptModelError/unknownPair(reason:)``.
  static func recognized(
    name: String, encoder: File, decoder: File, _ first: ModelSignature, _ second: ModelSignature
  ) throws(PromptModelError) -> PromptManifest {
    let inputs = Set(second.inputs.map(\.name))
    let outputs = Set(second.outputs.map(\.name))
    if inputs.contains(where: { $0.hasPrefix("batched_point") }) {
      throw .unknownPair(
        reason:
          "the decoder takes batched_point_coords, as EfficientSAM's does, whose points have a dimension more"
      )
    }
    let shared: Set = ["point_coords", "point_labels", "mask_input", "has_mask_input"]
    if let missing = shared.subtracting(inputs).sorted().first {
      throw .unknownPair(
        reason:
          "the decoder has no input \(missing); it has \(inputs.sorted().joined(separator: ", "))")
    }
    guard outputs.contains("iou_predictions") else {
      throw .unknownPair(reason: "the decoder has no output iou_predictions")
    }
    guard first.inputs.count == 1, let image = first.inputs.first, let shape = image.shape else {
      throw .unknownPair(reason: "the encoder has \(first.inputs.count) inputs, not one image")
    }
    guard let mask = second.inputs.first(where: { $0.name == "mask_input" })?.shape,
      mask.count == 4, let part = mask[3], mask[2] == part, part > 0, part <= 2_048
    else {
      throw .unknownPair(
        reason: "the shape of the decoder's mask_input does not say the size of the encoder's input"
      )
    }
    var manifest = PromptManifest(
      name: name, encoder: encoder, decoder: decoder, input: image.name, side: maskParts * part,
      layout: .nchw, framing: .pad, filter: .pillowBilinear, mean: samMean,
      deviation: samDeviation, embeddings: [], points: "point_coords", labels: "point_labels",
      hasPaddingPoint: true, mask: "mask_input", hasMask: "has_mask_input", size: nil,
      masks: "low_res_masks", scores: "iou_predictions", threshold: 0)
    let others = inputs.subtracting(shared)
    if others == ["image_embeddings", "orig_im_size"] {
      guard outputs.contains("low_res_masks") else {
        throw .unknownPair(reason: "the decoder has no output low_res_masks")
      }
      manifest.size = "orig_im_size"
      try manifest.readSAM(first, shape)
    } else if others == ["image_embed", "high_res_feats_0", "high_res_feats_1"] {
      try manifest.readSAM2(first, shape, outputs)
    } else {
      throw .unknownPair(
        reason:
          "the decoder's other inputs are \(others.sorted().joined(separator: ", ")), and not those of SAM "
          + "(image_embeddings, orig_im_size) or SAM 2 (image_embed, high_res_feats_0, high_res_feats_1)"
      )
    }
    return manifest
  }

  /// Reads the encoder of SAM and MobileSAM: the image alone, or an image of any size that it normalizes itself.
  private mutating func readSAM(
    _ encoder: ModelSignature, _ shape: [Int?]
  ) throws(PromptModelError) {
    guard encoder.outputs.count == 1, let output = encoder.outputs.first,
      ["image_embeddings", "image_embedding"].contains(output.name)
    else {
      throw .unknownPair(reason: "the encoder's output is not image_embeddings alone")
    }
    embeddings = [Link(output: output.name, input: "image_embeddings")]
    // Its name tells who wrote it, and by that whether the normalization is inside.
    guard input == "input_image" else {
      throw .unknownPair(
        reason:
          "the encoder's input is “\(input)”; only of samexporter's input_image is it known whether the "
          + "normalization is part of the model")
    }
    if shape.count == 3, shape[2] == nil || shape[2] == 3, shape[0] == nil, shape[1] == nil {
      (layout, framing) = (.hwc, .longSide)
      (mean, deviation) = ([0, 0, 0], [1, 1, 1])
    } else if shape.count == 4, shape[1] == 3, shape[2] == side, shape[3] == side {
      (layout, framing) = (.nchw, .pad)
    } else {
      throw .unknownPair(
        reason:
          "the encoder's input is \(TensorSignature.text(shape)), neither [N, N, 3] nor [1, 3, \(side), \(side)]"
      )
    }
  }

  /// Reads the encoder of SAM 2, which gets a stretched image.
  private mutating func readSAM2(
    _ encoder: ModelSignature, _ shape: [Int?], _ outputs: Set<String>
  ) throws(PromptModelError) {
    let names = ["high_res_feats_0", "high_res_feats_1", "image_embed"]
    guard Set(encoder.outputs.map(\.name)) == Set(names), input == "image" else {
      throw .unknownPair(
        reason:
          "the encoder has not samexporter's input image and outputs \(names.joined(separator: ", "))"
      )
    }
    guard shape.count == 4, shape[1] == 3, shape[2] == side, shape[3] == side else {
      throw .unknownPair(
        reason:
          "the encoder's input is \(TensorSignature.text(shape)), not [1, 3, \(side), \(side)]")
    }
    guard outputs.contains("masks") else {
      throw .unknownPair(reason: "the decoder has no output masks")
    }
    embeddings = names.map { Link(output: $0, input: $0) }
    (framing, filter, masks) = (.stretch, .bilinear, "masks")
    (mean, deviation) = (
      [0.485, 0.456, 0.406].map { $0 * 255 }, [0.229, 0.224, 0.225].map { $0 * 255 }
    )
    hasPaddingPoint = false
  }

  /// Checks a manifest against the two files.
  ///
  /// - Throws: ``PromptModelError/unfit(file:reason:)``.
  func check(_ first: ModelSignature, _ second: ModelSignature) throws(PromptModelError) {
    func unfit(_ isEncoder: Bool, _ reason: String) -> PromptModelError {
      .unfit(file: isEncoder ? encoder.path : decoder.path, reason: reason)
    }
    guard first.inputs.count == 1, let image = first.inputs.first, image.name == input else {
      throw unfit(
        true,
        "its inputs are \(first.inputs.map(\.description).joined(separator: ", ")), not “\(input)” alone"
      )
    }
    guard let element = TensorElement(rawValue: image.element) else {
      throw unfit(true, "its input has the element type \(image.element)")
    }
    if element.range != nil,
      mean != [0, 0, 0] || deviation != [1, 1, 1] || element == .boolean || element == .i8
    {
      throw unfit(
        true,
        "its input has the element type \(image.element), which holds the values 0 to 255 only (mean 0, std 1)"
      )
    }
    let wanted = inputShape(of: framing == .longSide ? nil : ImageSize(width: side, height: side))
    if let shape = image.shape,
      shape.count != wanted.count
        || !zip(shape, wanted).allSatisfy({ $0 == nil || $1 == nil || $0 == $1 })
    {
      throw unfit(
        true, "its input is \(image.shapeText), not \(TensorSignature.text(wanted))")
    }
    for link in embeddings where !first.outputs.contains(where: { $0.name == link.output }) {
      throw unfit(true, "it has no output \(link.output)")
    }
    let given =
      embeddings.map(\.input) + [points, labels] + [mask, hasMask, size].compactMap { $0 }
    let known = second.inputs.map(\.name)
    guard Set(given).count == given.count, Set(given) == Set(known) else {
      throw unfit(
        false,
        "its inputs are \(known.joined(separator: ", ")), and the manifest names \(given.joined(separator: ", "))"
      )
    }
    for output in [masks, scores] where !second.outputs.contains(where: { $0.name == output }) {
      throw unfit(false, "it has no output \(output)")
    }
    for tensor in second.inputs {
      guard let element = TensorElement(rawValue: tensor.element),
        element.range == nil || tensor.name == labels || tensor.name == size
          || tensor.name == hasMask, element != .u8 || tensor.name != labels
      else { throw unfit(false, "its input \(tensor.name) has the element type \(tensor.element)") }
    }
  }

  /// The shape of the encoder's input; open sides without a size.
  func inputShape(of size: ImageSize?) -> [Int?] {
    switch layout {
    case .nchw: [1, 3, size?.height, size?.width]
    case .nhwc: [1, size?.height, size?.width, 3]
    case .hwc: [size?.height, size?.width, 3]
    }
  }
}
