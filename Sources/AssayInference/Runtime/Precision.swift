/// The arithmetic inside a model. The raw value is the spelling on the command line.
package enum Precision: String, CaseIterable, Sendable, Codable {
  /// 32-bit floats: the same bits for any batch size.
  case f32
  /// Brain floats of 16 bits, where the processor has them; probabilities move by up to 0.03.
  case bf16
  /// Half floats, where the processor has them.
  case f16

  /// OpenVINO's name for it among a device's capabilities.
  var capability: String {
    switch self {
    case .f32: "FP32"
    case .bf16: "BF16"
    case .f16: "FP16"
    }
  }
}
