/// The arithmetic of a model's layers. The raw value is the spelling on the command line.
package enum Precision: String, CaseIterable, Sendable, Codable {
  /// 32-bit floats: the same bits for any batch size.
  case f32
  /// 16-bit brain floats, if the processor supports them; probabilities change by up to 0.03.
  case bf16
  /// Half floats, if the processor supports them.
  case f16

  /// OpenVINO's name of the precision among a device's capabilities.
  var capability: String {
    switch self {
    case .f32: "FP32"
    case .bf16: "BF16"
    case .f16: "FP16"
    }
  }
}
