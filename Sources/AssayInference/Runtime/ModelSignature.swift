/// A model's inputs and outputs, as OpenVINO reads them.
package struct ModelSignature: Hashable, Sendable {
  package let inputs: [TensorSignature]
  package let outputs: [TensorSignature]

  package init(inputs: [TensorSignature], outputs: [TensorSignature]) {
    self.inputs = inputs
    self.outputs = outputs
  }

  /// False if the input takes one image without a batch dimension, as torchvision's detectors do.
  var isBatched: Bool { inputs.first?.shape?.count != 3 }
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
