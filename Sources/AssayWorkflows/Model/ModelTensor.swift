import AssayInference

/// One input or output of a model, for display.
package struct ModelTensor: Hashable, Sendable {
  package var isInput: Bool
  /// The name; empty if the model has none.
  package var name: String
  /// The element type as OpenVINO spells it: `f32`, `u8`, …
  package var type: String
  /// The dimensions, `nil` for dynamic ones; `nil` as a whole if the rank is dynamic.
  package var shape: [Int?]?
  /// The shape for display: `[N, 64, 64, 1]`.
  package var shapeText: String

  /// Returns a model's inputs, then its outputs.
  static func all(of signature: ModelSignature) -> [ModelTensor] {
    signature.inputs.map { ModelTensor($0, isInput: true) }
      + signature.outputs.map { ModelTensor($0, isInput: false) }
  }

  private init(_ tensor: TensorSignature, isInput: Bool) {
    self.isInput = isInput
    name = tensor.name
    type = tensor.element
    shape = tensor.shape
    shapeText = tensor.shapeText
  }
}
