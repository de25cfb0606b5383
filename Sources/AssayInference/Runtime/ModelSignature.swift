/// A model's inputs and outputs, as OpenVINO reads them.
package struct ModelSignature: Hashable, Sendable {
  package let inputs: [TensorSignature]
  package let outputs: [TensorSignature]

  package init(inputs: [TensorSignature], outputs: [TensorSignature]) {
    self.inputs = inputs
    self.outputs = outputs
  }

  /// The input that looks like an image: the first with four dimensions, else the first with three, else the
  /// first.
  var image: TensorSignature? {
    inputs.first { $0.shape?.count == 4 } ?? inputs.first { $0.shape?.count == 3 } ?? inputs.first
  }

  /// Returns whether an input can take images of one or three channels in an element type that is known.
  package var takesImages: Bool {
    guard let image, TensorElement(rawValue: image.element) != nil else { return false }
    guard let shape = image.shape else { return true }
    let isPicture = { (length: Int?) in length == nil || length == 1 || length == 3 }
    switch shape.count {
    case 4: return isPicture(shape[1]) || isPicture(shape[3])
    case 3: return isPicture(shape[0]) || isPicture(shape[2])
    default: return false
    }
  }

  /// The outputs of MaskFormer and Mask2Former, by the names that the exports of Hugging Face and Detectron2 give them: a
  /// class and a mask per query, which look like a map per class; `nil` for other models.
  package var queryMasks: (classes: String, masks: String)? {
    func name(with part: String) -> String? {
      outputs.first { $0.name.lowercased().contains(part) }?.name
    }
    for (classes, masks) in [
      ("class_queries_logits", "masks_queries_logits"), ("pred_logits", "pred_masks"),
    ] {
      if let classes = name(with: classes), let masks = name(with: masks) {
        return (classes, masks)
      }
    }
    return nil
  }

  /// False if the image input takes one image without a batch dimension, as torchvision's detectors do.
  var isBatched: Bool { image?.shape?.count != 3 }
}

/// One input or output of a model.
package struct TensorSignature: Hashable, Sendable {
  /// The name; empty if the model has none for it.
  package let name: String
  /// The element type as OpenVINO spells it: `f32`, `u8`, …
  package let element: String
  /// The lengths; a length is `nil` if any value is accepted, and the whole shape is `nil` if the
  /// rank is not known before the model runs.
  package let shape: [Int?]?

  package init(name: String, element: String, shape: [Int?]?) {
    self.name = name
    self.element = element
    self.shape = shape
  }

  /// True if it holds whole numbers.
  var isInteger: Bool { TensorElement(rawValue: element)?.range != nil }

  /// The shape as text, `[1, 3, 416, 416]`; `N` for an open length, `[…]` for an open rank.
  package var shapeText: String { shape.map(Self.text) ?? "[…]" }

  /// A shape as text.
  package static func text(_ shape: [Int?]) -> String {
    "[" + shape.map { $0.map(String.init) ?? "N" }.joined(separator: ", ") + "]"
  }
}

extension TensorSignature: CustomStringConvertible {
  package var description: String {
    "\(name.isEmpty ? "(no name)" : name): \(element) \(shapeText)"
  }
}
