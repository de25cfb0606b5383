import AssayCore
import Foundation

/// A model as it lies on disk: its bytes, read once, and their hash.
///
/// What is hashed and checked is what OpenVINO reads: never the path again.
package struct ModelFile: Sendable {
  /// The file's absolute path.
  package let path: String
  package let format: ModelFormat
  /// The SHA-256 of the file, 64 hexadecimal digits; of an IR, of its XML and then its weights.
  package let hash: String
  /// The file's bytes.
  package let bytes: [UInt8]
  /// The weights beside an IR's XML; `nil` for the other formats.
  package let weights: [UInt8]?

  /// The most bytes a model file may have: 2 GiB, protobuf's own limit.
  package static let sizeLimit = 1 << 31

  /// The file's name without its ending.
  package var name: String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// Reads a model file and makes sure that it stands alone.
  ///
  /// - Parameter limit: the most bytes a file may have.
  /// - Throws: ``InferenceError``: unreadable, too large, no known format, no weights beside an IR,
  ///   a damaged ONNX file or one that refers to data elsewhere.
  package static func read(_ path: String, limit: Int = sizeLimit) throws(InferenceError)
    -> ModelFile
  {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    // Gigabytes of anything else need not be read to be refused.
    let head = try FileBytes.all(of: path, limit: limit, start: 1 << 16)
    guard ModelFormat.canBegin(head) else {
      throw .unknownModelFormat(
        path: path, looksLike: modelOfWeights(path) ?? ModelFormat.foreignName(head))
    }
    let bytes = try FileBytes.all(of: path, limit: limit)
    guard let format = ModelFormat.detect(bytes) else {
      throw .unknownModelFormat(
        path: path, looksLike: modelOfWeights(path) ?? ModelFormat.foreignName(bytes))
    }
    var weights: [UInt8]?
    // A file can be valid in two formats at once: what OpenVINO might take for ONNX is looked at too.
    if format == .onnx || ONNXGuard.looksLikeONNX(bytes) {
      do throws(ONNXFault) {
        try ONNXGuard.check(bytes)
      } catch {
        throw .onnxRefused(path: path, error)
      }
    }
    if format == .openVINO {
      let beside = URL(fileURLWithPath: path).deletingPathExtension().path + ".bin"
      guard FileManager.default.fileExists(atPath: beside) else {
        throw .weightsMissing(xml: path, expected: beside)
      }
      weights = try FileBytes.all(of: beside, limit: limit)
    }
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    weights?.withUnsafeBytes { hash.update($0) }
    return ModelFile(
      path: path, format: format, hash: hash.hexadecimal(), bytes: bytes, weights: weights)
  }

  /// A hint for the weights of an IR that are given instead of its XML.
  private static func modelOfWeights(_ path: String) -> String? {
    let file = URL(fileURLWithPath: path)
    let xml = file.deletingPathExtension().path + ".xml"
    guard file.pathExtension == "bin", FileManager.default.fileExists(atPath: xml) else {
      return nil
    }
    return "the weights of \(xml); name that file instead"
  }
}
