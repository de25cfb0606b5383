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
    let first = try Self.computeBlank(pipes, tensor, input, asFile: readsFiles)
    signature = ModelSignature(
      inputs: [tensor], outputs: try answer.outputs(first, failure: pipes.failure))
    connection = Mutex(Connection(pipes: pipes))
  }

  /// Computes the outputs for images.
  ///
  /// - Parameter names: the samples' keys.
  func infer(
    names: [String], _ images: RunnerImages
  ) throws(InferenceError) -> [RunnerTensor] {
    let result = connection.withLock { connection in
      assay_process_begin_step(Int32(ASSAY_PROCESS_RUNNING))
      defer { assay_process_end_step() }
      return Self.result { () throws(InferenceError) in
        try Self.exchange(connection.pipes, tensor, input, names: names, images)
      }
    }
    return try result.get()
  }

  /// An error about the runner, with what it printed last.
  func failure(_ reason: String) -> InferenceError {
    connection.withLock { $0.pipes.failure(reason) }
  }

  /// The outputs for a black image of the input's size; as a PNG file, that exists only for this.
  private static func computeBlank(
    _ pipes: RunnerConnection, _ tensor: TensorSignature, _ input: ModelInput, asFile: Bool
  ) throws(InferenceError) -> [RunnerTensor] {
    let names = ["a black image"]
    guard asFile else {
      let blank = [Float](repeating: 0, count: input.count)
      return try blank.withUnsafeBufferPointer { values throws(InferenceError) in
        try exchange(pipes, tensor, input, names: names, .arrays(values, input.size))
      }
    }
    let raster = Raster<UInt8>(
      repeating: 0, width: input.size.width, height: input.size.height,
      channels: input.color.channels)
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "black.png")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try Data(ImageCodec.encodePNG(raster)).write(to: file)
    } catch {
      throw pipes.failure("a black image cannot be written to \(file.path) for it: \(error)")
    }
    return try exchange(pipes, tensor, input, names: names, .files([file.path]))
  }

  /// Sends images and reads the outputs.
  private static func exchange(
    _ pipes: RunnerConnection, _ tensor: TensorSignature, _ input: ModelInput, names: [String],
    _ images: RunnerImages
  ) throws(InferenceError) -> [RunnerTensor] {
    let request: [JSONValue.Member] = [
      .init("command", "infer"), .init("samples", .array(names.map { .string($0) })),
    ]
    switch images {
    case .files(let paths):
      try pipes.send(
        .object(request + [.init("files", .array(paths.map { .string($0) }))]))
    case .arrays(let values, let size):
      guard let element = TensorElement(rawValue: tensor.element),
        let header = NPYHeader(
          element: element.numpy, shape: input.shape(batch: names.count, of: size)
        ).bytes
      else { throw .elementType(tensor, isInput: true) }
      try pipes.send(.object(request))
      try send(header, pipes)
      if element == .f32 {
        try pipes.write(UnsafeRawBufferPointer(values))
      } else {
        var bytes = [UInt8](repeating: 0, count: values.count * element.numpy.size)
        bytes.withUnsafeMutableBytes { bytes in
          if let start = bytes.baseAddress { element.write(values, to: start) }
        }
        try send(bytes, pipes)
      }
    }
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

  private static func send(
    _ bytes: [UInt8], _ pipes: RunnerConnection
  ) throws(InferenceError) {
    let sent = bytes.withUnsafeBytes { bytes in
      result { () throws(InferenceError) in try pipes.write(bytes) }
    }
    try sent.get()
  }

  /// The text of a runner's own error.
  static func report(_ value: JSONValue) -> String {
    guard let text = value.text, !text.isEmpty else { return "it reports an error without a text" }
    return "it reports: \(text.prefix(500))"
  }

  private static func result<Value>(
    _ body: () throws(InferenceError) -> Value
  ) -> Result<Value, InferenceError> {
    do throws(InferenceError) { return .success(try body()) } catch { return .failure(error) }
  }
}

/// The images of a request to a runner.
enum RunnerImages {
  /// The values of all images, one after another, and the size of their inputs.
  case arrays(UnsafeBufferPointer<Float>, ImageSize)
  /// The absolute paths of image files.
  case files([String])
}
