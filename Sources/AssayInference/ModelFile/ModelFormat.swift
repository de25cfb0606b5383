/// The accepted model file formats, distinguished by their content.
package enum ModelFormat: String, CaseIterable, Sendable {
  /// A serialized ONNX `ModelProto`.
  case onnx
  /// A TensorFlow Lite flatbuffer (`TFL3`).
  case tflite
  /// OpenVINO IR: the XML, with a `.bin` of weights next to it.
  case openVINO = "openvino"

  /// The name for people, with the usual file extension.
  package var title: String {
    switch self {
    case .onnx: "ONNX (.onnx)"
    case .tflite: "TensorFlow Lite (.tflite)"
    case .openVINO: "OpenVINO IR (.xml with its .bin)"
    }
  }

  /// Detects the format from a file's bytes; `nil` if it is not an accepted one.
  ///
  /// - Complexity: O(1) in the size of the weights.
  package static func detect(_ bytes: [UInt8]) -> ModelFormat? {
    if bytes.count >= 8, bytes[4..<8].elementsEqual("TFL3".utf8) { return .tflite }
    if isIR(bytes) { return .openVINO }
    return ONNXGuard.looksLikeONNX(bytes) ? .onnx : nil
  }

  /// Returns whether a file with these first bytes can be of an accepted format.
  static func canBegin(_ head: [UInt8]) -> Bool {
    detect(head) != nil || ONNXGuard.canBegin(head)
  }

  /// The likely kind of an unsupported file, for the error; `nil` if it is not recognized.
  package static func foreignName(_ bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "an empty file" }
    if bytes.starts(with: "GGUF".utf8) { return "a GGUF file" }
    if bytes.starts(with: [0x1F, 0x8B]) { return "a gzip file: unpack it first" }
    if ONNXGuard.looksLikeCoreML(bytes) { return "a Core ML file (.mlmodel)" }
    if bytes.prefix(512).allSatisfy({ $0 >= 0x20 && $0 < 0x7F || (9...13).contains($0) }) {
      return "a text file"
    }
    return nil
  }

  /// Returns whether the first element of an XML file is `net`.
  private static func isIR(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
    var rest = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    while rest.hasPrefix("<?") || rest.hasPrefix("<!--") {
      let close = rest.hasPrefix("<?") ? "?>" : "-->"
      guard let end = rest.firstRange(of: close) else { return false }
      rest = rest[end.upperBound...].drop(while: \.isWhitespace)
    }
    return rest.hasPrefix("<net ") || rest.hasPrefix("<net>")
  }
}
