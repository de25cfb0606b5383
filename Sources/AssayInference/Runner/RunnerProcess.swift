package import AssayCore
import AssayImaging
import COpenVINO
import Foundation
import Synchronization

/// A running program that computes a model's outputs; see “Runners” in Docs/Models.md for the protocol.
///
/// Calls from several threads wait for each other.
package final class RunnerProcess: Sendable {
  /// The version of the protocol.
  package static let protocolVersion = 1
  /// The batch size of a runner that states none.
  package static let usualBatch = 32
  /// The maximum number of outputs.
  private static let outputLimit = 256

  package let program: RunnerProgram
  /// The versions of its libraries that the runner stated, for the run's record.
  package let versions: [JSONValue.Member]
  /// The batch size that the runner asks for.
  package let batch: Int
  /// True if the runner gets the paths of image files instead of arrays.
  package let readsFiles: Bool
  /// The model's input and outputs. The shapes of outputs are those of a first image, except where the runner
  /// states that a length is open.
  let signature: ModelSignature
  private let tensor: TensorSignature
  private let input: ModelInput
  private let connection: Mutex<Connection>

  /// Connections are used under the mutex only.
  private struct Connection: @unchecked Sendable {
    let pipes: RunnerConnection
  }

  /// Starts a program, asks what it computes, and computes one black image to learn its outputs.
  ///
  /// The program ends with the calling thread, which must be the main thread of a program.
  ///
  /// - Parameters:
  ///   - model: the path of the model file.
  ///   - input: the images that the runner gets.
  ///   - constants: the model's other inputs, for ONNX Runtime; other runners know their own.
  /// - Throws: ``InferenceError``.
  package init(
    _ program: RunnerProgram, model: String, input: ModelInput, constants: [ConstantInput] = []
  ) throws(InferenceError) {
    assay_process_begin_step(Int32(ASSAY_PROCESS_READING))
    defer { assay_process_end_step() }
    self.program = program
    let pipes = try RunnerConnection(program, model: model)
    try pipes.send([
      "command": "describe", "protocol": .integer(Int64(Self.protocolVersion)),
      "model": .string(model),
      "input": [
        "shape": .array(input.shape(batch: nil).map { JSONValue($0) }),
        "layout": .string(input.layout.rawValue), "color": .string(input.color.rawValue),
      ],
      "constants": .object(
        constants.map { constant in
          JSONValue.Member(constant.name, .array(constant.values.map(\.json)))
        }),
    ])
    let answer = try RunnerDescription(pipes.line(), pipes)
    versions = answer.versions
    batch = answer.batch ?? Self.usualBatch
    readsFiles = answer.readsFiles
    let tensor = TensorSignature(
      name: "input", element: answer.element.rawValue, shape: input.shape(batch: nil))
    self.tensor = tensor
    self.input = input
    let first =
      readsFiles
      ? try Self.computeBlankFile(pipes, input) : try Self.computeBlank(pipes, tensor, input)
    signature = ModelSignature(
      inputs: [tensor], outputs: try answer.outputs(first, failure: pipes.failure))
    connection = Mutex(Connection(pipes: pipes))
  }

  /// Computes the outputs for images.
  ///
  /// - Parameters:
  ///   - names: the samples' keys.
  ///   - values: the images' values, one image after another.
  ///   - size: the size of the images.
  func infer(
    names: [String], _ values: UnsafeBufferPointer<Float>, size: ImageSize
  ) throws(InferenceError) -> [RunnerTensor] {
    let result: Result<[RunnerTensor], InferenceError> = connection.withLock { connection in
      assay_process_begin_step(Int32(ASSAY_PROCESS_RUNNING))
      defer { assay_process_end_step() }
      do throws(InferenceError) {
        return .success(
          try Self.exchange(
            connection.pipes, tensor, names: names, values,
            shape: input.shape(batch: names.count, of: size)))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Computes the outputs for image files.
  ///
  /// - Parameters:
  ///   - names: the samples' keys.
  ///   - files: the absolute paths of their images.
  /// - Throws: ``InferenceError``, also if an image is in no file of its own.
  func infer(names: [String], files: [String?]) throws(InferenceError) -> [RunnerTensor] {
    var paths: [String] = []
    for (name, file) in zip(names, files) {
      guard let file else {
        throw .runnerNeedsFiles(command: program.title, sample: name)
      }
      paths.append(file)
    }
    let result: Result<[RunnerTensor], InferenceError> = connection.withLock { connection in
      assay_process_begin_step(Int32(ASSAY_PROCESS_RUNNING))
      defer { assay_process_end_step() }
      return Self.result { () throws(InferenceError) in
        try Self.send(connection.pipes, names: names, files: paths)
        return try Self.answer(connection.pipes)
      }
    }
    return try result.get()
  }

  /// The outputs for a black image.
  private static func computeBlank(
    _ pipes: RunnerConnection, _ tensor: TensorSignature, _ input: ModelInput
  ) throws(InferenceError) -> [RunnerTensor] {
    let blank = [Float](repeating: 0, count: input.count)
    return try blank.withUnsafeBufferPointer { values throws(InferenceError) in
      try exchange(
        pipes, tensor, names: ["a black image"], values,
        shape: input.shape(batch: 1, of: input.size))
    }
  }

  /// The outputs for a black image of the input's size in a PNG file, which exists only for this.
  private static func computeBlankFile(
    _ pipes: RunnerConnection, _ input: ModelInput
  ) throws(InferenceError) -> [RunnerTensor] {
    let raster = Raster<UInt8>(
      repeating: 0, width: input.size.width, height: input.size.height,
      channels: input.color.channels)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "assay-runner-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("black.png")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      try Data(ImageCodec.encodePNG(raster)).write(to: file)
    } catch {
      throw pipes.failure("a black image cannot be written to \(file.path) for it: \(error)")
    }
    try send(pipes, names: ["a black image"], files: [file.path])
    return try answer(pipes)
  }

  private static func send(
    _ pipes: RunnerConnection, names: [String], files: [String]
  ) throws(InferenceError) {
    try pipes.send([
      "command": "infer", "samples": .array(names.map { .string($0) }),
      "files": .array(files.map { .string($0) }),
    ])
  }

  /// An error about the runner, with what it printed last.
  func failure(_ reason: String) -> InferenceError {
    connection.withLock { $0.pipes.failure(reason) }
  }

  private static func exchange(
    _ pipes: RunnerConnection, _ input: TensorSignature, names: [String],
    _ values: UnsafeBufferPointer<Float>, shape: [Int]
  ) throws(InferenceError) -> [RunnerTensor] {
    guard let element = TensorElement(rawValue: input.element),
      let header = NPYHeader(element: element.numpy, shape: shape).bytes
    else { throw .elementType(input, isInput: true) }
    try pipes.send([
      "command": "infer", "samples": .array(names.map { .string($0) }),
    ])
    var sent: Result<Void, InferenceError> = header.withUnsafeBytes { bytes in
      result { () throws(InferenceError) in try pipes.write(bytes) }
    }
    try sent.get()
    if element == .f32 {
      try pipes.write(UnsafeRawBufferPointer(values))
    } else {
      var bytes = [UInt8](repeating: 0, count: values.count * element.numpy.size)
      sent = bytes.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { element.write(values, to: start) }
        return result { () throws(InferenceError) in try pipes.write(UnsafeRawBufferPointer(bytes))
        }
      }
      try sent.get()
    }
    return try answer(pipes)
  }

  /// Reads the answer to `infer`.
  private static func answer(
    _ pipes: RunnerConnection
  ) throws(InferenceError) -> [RunnerTensor] {
    let answer = try pipes.line()
    if let reason = answer.member("error") {
      throw pipes.failure(RunnerProcess.report(reason))
    }
    guard let outputs = answer.member("outputs")?.elements?.map(\.text),
      !outputs.isEmpty, outputs.count <= outputLimit, !outputs.contains(nil)
    else {
      throw pipes.failure(
        "its answer has no list “outputs” with the names of the arrays that follow")
    }
    var tensors: [RunnerTensor] = []
    for name in outputs.compactMap(\.self) {
      guard !tensors.contains(where: { $0.name == name }) else {
        throw pipes.failure("its answer has the output “\(name)” twice")
      }
      tensors.append(try pipes.array(named: name))
    }
    return tensors
  }

  /// The text of a runner's own error.
  fileprivate static func report(_ value: JSONValue) -> String {
    guard let text = value.text, !text.isEmpty else { return "it reports an error without a text" }
    return "it reports: \(text.prefix(500))"
  }

  private static func result<Value>(
    _ body: () throws(InferenceError) -> Value
  ) -> Result<Value, InferenceError> {
    do throws(InferenceError) { return .success(try body()) } catch { return .failure(error) }
  }
}

/// A runner's answer to `describe`.
private struct RunnerDescription {
  let element: TensorElement
  let batch: Int?
  /// True if the runner wants the paths of files.
  let readsFiles: Bool
  let versions: [JSONValue.Member]
  /// The stated shapes of outputs, by name.
  private let shapes: [(name: String, shape: [Int?]?)]

  init(_ answer: JSONValue, _ pipes: RunnerConnection) throws(InferenceError) {
    if let reason = answer.member("error") {
      throw pipes.failure(RunnerProcess.report(reason))
    }
    let version = answer.member("protocol")?.whole
    guard version == RunnerProcess.protocolVersion else {
      throw pipes.failure(
        "it answers “describe” with the protocol \(version.map(String.init) ?? "missing"); this program speaks"
          + " \(RunnerProcess.protocolVersion)")
    }
    let type = answer.member("element")
    guard let element = TensorElement(rawValue: type?.text ?? (type == nil ? "f32" : "")) else {
      throw pipes.failure(
        "“element” must be one of \(TensorElement.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    self.element = element
    let images = answer.member("images")
    guard images == nil || images?.text == "arrays" || images?.text == "files" else {
      throw pipes.failure("“images” must be “arrays” or “files”")
    }
    readsFiles = images?.text == "files"
    if let value = answer.member("batch"), value != .null {
      guard let batch = value.whole, (1...4096).contains(batch) else {
        throw pipes.failure("“batch” must be a whole number from 1 to 4096")
      }
      self.batch = batch
    } else {
      batch = nil
    }
    versions = (answer.member("versions")?.members ?? []).prefix(32).compactMap { member in
      member.value.text.map {
        JSONValue.Member(String(member.name.prefix(100)), .string(String($0.prefix(100))))
      }
    }
    var shapes: [(name: String, shape: [Int?]?)] = []
    for output in answer.member("outputs")?.elements ?? [] {
      guard let name = output.member("name")?.text else {
        throw pipes.failure("“outputs” of its description has an element without a “name”")
      }
      var shape: [Int?]?
      if let lengths = output.member("shape")?.elements {
        shape = []
        for length in lengths {
          guard length == .null || length.whole.map({ $0 >= 0 }) == true else {
            throw pipes.failure("the shape of “\(name)” must be a list of whole numbers and null")
          }
          shape?.append(length.whole)
        }
      }
      shapes.append((name, shape))
    }
    self.shapes = shapes
  }

  /// The signatures of a first image's outputs.
  func outputs(
    _ tensors: [RunnerTensor], failure: (String) -> InferenceError
  ) throws(InferenceError) -> [TensorSignature] {
    if let missing = shapes.first(where: { stated in
      !tensors.contains { $0.name == stated.name }
    }) {
      throw failure("it describes the output “\(missing.name)”, but does not give it")
    }
    var result: [TensorSignature] = []
    for tensor in tensors {
      guard tensor.shape.first == 1 else {
        throw failure(
          "its output “\(tensor.name)” for one image has the shape \(tensor.shape); the first length must be the"
            + " number of images")
      }
      let found: [Int?] = [nil] + tensor.shape.dropFirst().map { $0 }
      let stated = shapes.first { $0.name == tensor.name }?.shape
      if let stated {
        let fits =
          stated.count == found.count
          && zip(stated, tensor.shape).dropFirst().allSatisfy { $0 == nil || $0 == $1 }
        guard fits else {
          throw failure(
            "its output “\(tensor.name)” has the shape \(tensor.shape), but is described as"
              + " \(TensorSignature.text(stated))")
        }
      }
      result.append(
        TensorSignature(
          name: tensor.name, element: tensor.element.rawValue,
          shape: stated.map { [nil] + $0.dropFirst() } ?? found))
    }
    return result
  }
}
