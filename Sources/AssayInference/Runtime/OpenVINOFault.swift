import AssayCore
import Foundation

/// The message of a failed OpenVINO call.
struct OpenVINOFault: Error {
  /// OpenVINO's message, without the locations in its source code.
  let text: String

  /// Calls a function that writes an error text and returns false on failure.
  static func check(
    _ body: (UnsafeMutablePointer<CChar>?, Int) -> Bool
  ) throws(OpenVINOFault) {
    _ = try checked { body($0, $1) ? true : nil }
  }

  /// Calls a function that writes an error text and returns `nil` on failure.
  static func checked<Value>(
    _ body: (UnsafeMutablePointer<CChar>?, Int) -> Value?
  ) throws(OpenVINOFault) -> Value {
    var buffer = [CChar](repeating: 0, count: 4096)
    let value = buffer.withUnsafeMutableBufferPointer { body($0.baseAddress, $0.count) }
    guard let value else { throw OpenVINOFault(text: message(in: text(buffer))) }
    return value
  }

  /// A text of at most 4,095 bytes written by a function; its third and fourth arguments are for
  /// its error text.
  static func text(
    _ body: (
      UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, Int
    ) -> Bool
  ) throws(OpenVINOFault) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    try check { error, capacity in
      buffer.withUnsafeMutableBufferPointer { body($0.baseAddress, $0.count, error, capacity) }
    }
    return text(buffer)
  }

  private static func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func message(in text: String) -> String {
    // The messages of the C++ library and the kernel when memory runs out.
    if ["std::bad_alloc", "Cannot allocate memory"].contains(where: text.contains) {
      return outOfMemory
    }
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
      .filter { !$0.isEmpty && !$0.hasPrefix("Exception from ") }
    return lines.isEmpty ? "no reason given" : lines.joined(separator: " ")
  }

  /// The message about a model that exceeds the memory limit of this process.
  private static var outOfMemory: String {
    guard let limit = ModelProcess.memoryLimit else { return "there is not enough memory for it" }
    return
      "it needs more memory than the limit of \(ByteText.text(limit)); if you trust the"
      + " file, allow more with --max-memory"
  }
}
