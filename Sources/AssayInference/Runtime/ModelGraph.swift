import COpenVINO
import Foundation

/// A model as read by OpenVINO, not compiled yet. For one thread.
final class ModelGraph {
  /// Its inputs and outputs as read, before any reshape.
  let signature: ModelSignature
  private let path: String
  private let format: ModelFormat?
  private let runtime: OpenVINO
  private let handle: OpaquePointer
  /// The memory that the model refers to; it must outlive what is compiled from it.
  let memory: TensorMemory?

  /// Reads the bytes of `file`, not its path again.
  ///
  /// - Throws: ``InferenceError``.
  init(_ file: ModelFile, runtime: OpenVINO) throws(InferenceError) {
    self.path = file.path
    self.format = file.format
    memory = file.memory
    self.runtime = runtime
    do throws(OpenVINOFault) {
      handle = try Self.read(file, runtime)
    } catch {
      throw .modelRefused(path: file.path, reason: error.text)
    }
    do throws(OpenVINOFault) {
      signature = ModelSignature(
        inputs: try Self.ports(of: handle, inputs: true),
        outputs: try Self.ports(of: handle, inputs: false))
    } catch {
      assay_ov_model_free(handle)
      throw .modelRefused(path: file.path, reason: error.text)
    }
  }

  deinit { assay_ov_model_free(handle) }

  /// Sets the shapes of all inputs.
  func reshape(_ shapes: [assay_ov_input_shape]) throws(OpenVINOFault) {
    try OpenVINOFault.check { assay_ov_model_reshape(handle, shapes, shapes.count, $0, $1) }
  }

  /// The outputs after a reshape.
  func outputs() throws(OpenVINOFault) -> [TensorSignature] {
    try Self.ports(of: handle, inputs: false)
  }

  /// Compiles for one CPU thread, unless more are asked for, with one stream: compilation with more streams can randomly
  /// produce wrong models.
  func compile(_ precision: Precision, threads: Int = 1) throws(InferenceError) -> OpaquePointer {
    let properties =
      [
        ("PERFORMANCE_HINT", "LATENCY"), ("NUM_STREAMS", "1"),
        ("INFERENCE_NUM_THREADS", "\(threads)"),
        ("ENABLE_CPU_PINNING", "NO"), ("INFERENCE_PRECISION_HINT", precision.rawValue),
      ]
      // Low-precision kernels compute signed activations of quantized ONNX models wrongly (OpenVINO
      // 2026.4.1: scores off by up to 0.95 from ONNX Runtime's), also once they are converted to IR; in
      // float32 they are right.
      + (format == .tflite ? [] : [("LP_TRANSFORMS_MODE", "NO")])
    let texts = properties.flatMap { [strdup($0.0), strdup($0.1)] }
    defer { texts.forEach { free($0) } }
    let keys = stride(from: 0, to: texts.count, by: 2).map { UnsafePointer(texts[$0]) }
    let values = stride(from: 1, to: texts.count, by: 2).map { UnsafePointer(texts[$0]) }
    do throws(OpenVINOFault) {
      return try OpenVINOFault.checked {
        assay_ov_compile(runtime.handle, handle, keys, values, keys.count, $0, $1)
      }
    } catch {
      throw .modelRefused(path: path, reason: error.text)
    }
  }

  private static func read(_ file: ModelFile, _ runtime: OpenVINO) throws(OpenVINOFault)
    -> OpaquePointer
  {
    guard file.format != .tflite else { return try readCopy(of: file, runtime) }
    return try OpenVINOFault.checked { error, capacity in
      guard let weights = file.weights else {
        return assay_ov_model_read_memory(
          runtime.handle, file.bytes, file.bytes.count, nil, 0, error, capacity)
      }
      return assay_ov_model_read_memory(
        runtime.handle, file.bytes, file.bytes.count, weights, weights.count, error, capacity)
    }
  }

  /// OpenVINO reads TFLite only from a file with that extension: it gets a copy of the hashed
  /// bytes.
  private static func readCopy(of file: ModelFile, _ runtime: OpenVINO) throws(OpenVINOFault)
    -> OpaquePointer
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appending(path: "model.tflite")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try Data(file.bytes).write(to: copy)
    } catch {
      let temporary = folder.deletingLastPathComponent().path
      throw OpenVINOFault(
        text:
          "no copy of it can be written to \(temporary) (\(Self.reason(error))); set TMPDIR to a"
          + " folder with room for it")
    }
    return try OpenVINOFault.checked {
      assay_ov_model_read_file(runtime.handle, copy.path, $0, $1)
    }
  }

  /// The system's message about a file that cannot be written.
  private static func reason(_ error: any Error) -> String {
    var error = error as NSError
    while let deeper = error.userInfo[NSUnderlyingErrorKey] as? NSError { error = deeper }
    guard error.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(clamping: error.code)))
  }

  private static func ports(of handle: OpaquePointer, inputs: Bool) throws(OpenVINOFault)
    -> [TensorSignature]
  {
    var result: [TensorSignature] = []
    for index in 0..<assay_ov_model_port_count(handle, inputs) {
      var port = assay_ov_port()
      try OpenVINOFault.check { assay_ov_model_port(handle, inputs, index, &port, $0, $1) }
      result.append(TensorSignature(port))
    }
    return result
  }
}

extension ModelSignature {
  /// Reads a model's inputs and outputs.
  ///
  /// - Throws: ``InferenceError``.
  package static func read(_ file: ModelFile) throws(InferenceError) -> ModelSignature {
    try ModelGraph(file, runtime: try OpenVINO.load()).signature
  }
}

extension TensorSignature {
  fileprivate init(_ port: assay_ov_port) {
    let shape = withUnsafeBytes(of: port.dimensions) { bytes in
      port.rank < 0
        ? nil
        : bytes.bindMemory(to: Int64.self).prefix(Int(port.rank)).map { $0 < 0 ? nil : Int($0) }
    }
    self.init(
      name: Self.text(of: port.name), element: Self.text(of: port.element), shape: shape)
  }

  private static func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
