import AssayCore
import Foundation

/// A model file on disk: its bytes, read once, and their hash.
///
/// OpenVINO reads the same bytes that are hashed and checked: the path is never read again.
package struct ModelFile: Sendable {
  /// The file's absolute path.
  package let path: String
  /// `nil` for a file that only a runner reads, of any format.
  package let format: ModelFormat?
  /// The SHA-256 of the file, 64 hexadecimal digits; for an IR, of its XML followed by its weights; for ONNX
  /// with values in other files, of the file with these values in place.
  package let hash: String
  /// The file's bytes; empty for a file that only a runner reads.
  package let bytes: [UInt8]
  /// The weights next to an IR's XML; `nil` for the other formats.
  package let weights: [UInt8]?
  /// The memory that ``bytes`` refer to, for an ONNX file that would be larger than ``sizeLimit`` with its values in
  /// place; `nil` for others.
  let memory: TensorMemory?

  /// True if the file names operators that round to few bits: QuantizeLinear in ONNX, FakeQuantize in IR.
  package var isQuantized: Bool {
    let mark = format == .openVINO ? "FakeQuantize" : "QuantizeLinear"
    return Data(bytes).range(of: Data(mark.utf8)) != nil
  }

  /// The maximum size of a model file in bytes: 2 GiB, protobuf's own limit.
  package static let sizeLimit = 1 << 31
  /// The maximum size of the weights beside an IR, and of values beside an ONNX file that is larger than
  /// ``sizeLimit`` with them: 64 GiB. The memory that the process may use is the real limit.
  package static let weightsLimit = 1 << 36

  /// The file's name without its extension.
  package var name: String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// Reads a model file and checks that it is self-contained.
  ///
  /// - Parameters:
  ///   - path: the file, or a folder with one model in it.
  ///   - limit: the maximum size of a file in bytes.
  ///   - inPlaceLimit: the maximum size of an ONNX file with the values of other files in place; of larger ones they
  ///     are read into ``memory``.
  /// - Throws: ``InferenceError``: unreadable, too large, unknown format, an IR without weights, a
  ///   damaged ONNX file or one that refers to external data.
  package static func read(
    _ path: String, limit: Int = sizeLimit, inPlaceLimit: Int = sizeLimit
  ) throws(InferenceError) -> ModelFile {
    var path = URL(fileURLWithPath: path).standardizedFileURL.path
    if let names = folderNames(path) {
      if let folder = ForeignModel(folder: path, names: names) {
        throw .foreignModel(path: path, name: folder.name, conversion: folder.conversion)
      }
      if let only = ForeignModel.onlyModel(among: names) { path += "/" + only }
    }
    // Rejects other files before reading gigabytes of them.
    let head = try FileBytes.all(of: path, limit: limit, start: 1 << 16)
    if ModelFormat.detect(head) == nil,
      let foreign = ForeignModel(
        head, tail: try FileBytes.tail(of: path, count: 1 << 17), path: path)
    {
      throw .foreignModel(path: path, name: foreign.name, conversion: foreign.conversion)
    }
    guard ModelFormat.canBegin(head) else { throw unknownFormat(of: head, path) }
    var bytes = try FileBytes.all(of: path, limit: limit)
    guard let format = ModelFormat.detect(bytes) else { throw unknownFormat(of: bytes, path) }
    var external: ExternalValues?
    if format == .onnx { external = try externalData(bytes, path, limit: inPlaceLimit) }
    let checked = external?.checked ?? external?.bytes ?? bytes
    bytes = external?.bytes ?? bytes
    var weights: [UInt8]?
    // A file can be valid in two formats: one that OpenVINO might read as ONNX is checked too.
    if format == .onnx || ONNXGuard.looksLikeONNX(bytes) {
      do throws(ONNXFault) {
        try ONNXGuard.check(checked)
      } catch {
        throw .onnxRefused(path: path, error)
      }
    }
    if format == .openVINO {
      let beside = URL(fileURLWithPath: path).deletingPathExtension().path + ".bin"
      guard FileManager.default.fileExists(atPath: beside) else {
        throw .weightsMissing(xml: path, expected: beside)
      }
      weights = try FileBytes.all(of: beside, limit: weightsLimit)
      if hasWideLevels(bytes) { throw .onnxRefused(path: path, wideLevels) }
    }
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    weights?.withUnsafeBytes { hash.update($0) }
    // The hash is that of the file, whatever OpenVINO gets.
    if format == .onnx {
      do throws(ONNXFault) {
        if let other = try ONNXEmptyBranches.removed(from: bytes) { bytes = other }
      } catch {
        throw .onnxRefused(path: path, error)
      }
    }
    return ModelFile(
      path: path, format: format, hash: external?.hash ?? hash.hexadecimal(), bytes: bytes,
      weights: weights, memory: external?.memory)
  }

  /// Returns whether an IR has a FakeQuantize with the levels of 16 bits, which OpenVINO 2026.4.1 leaves out on processors.
  private static func hasWideLevels(_ xml: [UInt8]) -> Bool {
    let text = Data(xml)
    return ["65535", "65536"].contains { text.range(of: Data("levels=\"\($0)\"".utf8)) != nil }
  }

  private static let wideLevels = ONNXFault.wrongOperator(
    node: "", operator: "FakeQuantize with the levels of 16 bits", version: 0,
    result: "without their limits", remedy: "Quantize the model with 8 bits")

  /// The error for a file of another format.
  private static func unknownFormat(of bytes: [UInt8], _ path: String) -> InferenceError {
    guard !ONNXGuard.looksLikeCoreML(bytes) else {
      return .foreignModel(
        path: path, name: "a Core ML file (.mlmodel)", conversion: ForeignModel.coreML)
    }
    return .unknownModelFormat(
      path: path, looksLike: modelOfWeights(path) ?? ModelFormat.foreignName(bytes))
  }

  /// An ONNX file whose values were in other files.
  private struct ExternalValues {
    var bytes: [UInt8]
    /// The file without the values, if they are in memory; `nil` if they are in place.
    var checked: [UInt8]?
    var memory: TensorMemory?
    /// The hash of the file with the values in place, if they are in memory.
    var hash: String?
  }

  /// An ONNX file with the values in place, or in memory, that are in other files of its folder; `nil` if there are
  /// none.
  private static func externalData(
    _ bytes: [UInt8], _ path: String, limit: Int
  ) throws(InferenceError) -> ExternalValues? {
    let files = ExternalFiles(besideModel: path)
    let external: ONNXExternalTensors
    do throws(ONNXFault) {
      external = try ONNXExternalTensors(bytes) { tensor, location throws(ONNXFault) in
        try files.size(tensor, location)
      }
    } catch {
      throw .onnxRefused(path: path, error)
    }
    guard !external.references.isEmpty else { return nil }
    guard external.count > limit else {
      return ExternalValues(
        bytes: try external.inlined { reference, target throws(InferenceError) in
          try files.read(reference, into: target)
        })
    }
    guard external.count <= weightsLimit else { throw .tooLarge(path: path, limit: weightsLimit) }
    let values = try external.inMemory(path) { tensor, location throws(ONNXFault) in
      try files.size(tensor, location)
    } read: { reference, target throws(InferenceError) in
      try files.read(reference, into: target)
    }
    return ExternalValues(
      bytes: values.bytes, checked: values.checked, memory: values.memory, hash: values.hash)
  }

  /// The hash of a file of any format and size, which only a runner reads.
  ///
  /// - Throws: ``InferenceError/unreadable(path:reason:)``.
  package static func ofRunner(_ path: String) throws(InferenceError) -> ModelFile {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    return ModelFile(
      path: path, format: nil, hash: try FileBytes.hash(of: path), bytes: [], weights: nil,
      memory: nil)
  }

  /// The names of a folder's files; `nil` for a file.
  private static func folderNames(_ path: String) -> [String]? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    return try? FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// A hint if the weights of an IR are given instead of its XML.
  private static func modelOfWeights(_ path: String) -> String? {
    let file = URL(fileURLWithPath: path)
    let xml = file.deletingPathExtension().path + ".xml"
    guard file.pathExtension == "bin", FileManager.default.fileExists(atPath: xml) else {
      return nil
    }
    return "the weights of \(xml); name that file instead"
  }
}
