import AssayCore
import AssayImaging
import COpenVINO
import Synchronization

/// A compiled model with inputs and outputs of any shape. Calls from several threads wait for each other.
final class TensorRequest: Sendable {
  typealias Tensor = ImageEmbedding.Tensor

  /// The maximum number of values of an output.
  static let limit = 1 << 27

  let signature: ModelSignature
  private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }
  private let handle: Handle
  private let memory: TensorMemory?
  private let turn = Mutex(())

  /// - Throws: ``InferenceError``.
  init(_ graph: ModelGraph, threads: Int) throws(InferenceError) {
    signature = graph.signature
    memory = graph.memory
    handle = Handle(pointer: try graph.compile(.f32, threads: threads))
  }

  deinit { assay_ov_request_free(handle.pointer) }

  /// Ends a running computation with an error; does nothing without one.
  func cancel() { assay_ov_request_cancel(handle.pointer) }

  /// Computes the named outputs from all inputs.
  ///
  /// - Throws: ``InferenceError/inferenceFailed(reason:)``.
  func run(
    _ inputs: [(name: String, tensor: Tensor)], outputs: [String]
  ) throws(InferenceError) -> [Tensor] {
    let result: Result<[Tensor], OpenVINOFault> = turn.withLock { _ in
      do throws(OpenVINOFault) {
        for (name, tensor) in inputs { try write(tensor, to: name) }
        try OpenVINOFault.check { assay_ov_request_infer(handle.pointer, $0, $1) }
        var found: [Tensor] = []
        for name in outputs { found.append(try read(name)) }
        return .success(found)
      } catch {
        return .failure(error)
      }
    }
    do throws(OpenVINOFault) { return try result.get() } catch {
      throw .inferenceFailed(reason: error.text)
    }
  }

  private func write(_ tensor: Tensor, to name: String) throws(OpenVINOFault) {
    guard let index = signature.inputs.firstIndex(where: { $0.name == name }) else {
      throw OpenVINOFault(text: "no input \(name)")
    }
    let stated = signature.inputs[index].shape
    if stated?.contains(nil) ?? true {
      let lengths = tensor.shape.map(Int64.init)
      try OpenVINOFault.check {
        assay_ov_request_set_shape(handle.pointer, index, lengths, lengths.count, $0, $1)
      }
    } else if stated?.compactMap({ $0 }) != tensor.shape {
      throw OpenVINOFault(
        text: "the input \(name) is \(signature.inputs[index].shapeText), not \(tensor.shape)")
    }
    var count = 0
    var type: UnsafePointer<CChar>?
    let memory = try OpenVINOFault.checked {
      assay_ov_request_input(handle.pointer, index, &type, &count, $0, $1)
    }
    guard count == tensor.values.count else {
      throw OpenVINOFault(text: "the input \(name) has \(count) values, not \(tensor.values.count)")
    }
    let element = try Self.element(type)
    tensor.values.withUnsafeBufferPointer { element.write($0, to: memory) }
  }

  private func read(_ name: String) throws(OpenVINOFault) -> Tensor {
    guard let index = signature.outputs.firstIndex(where: { $0.name == name }) else {
      throw OpenVINOFault(text: "no output \(name)")
    }
    var count = 0
    var rank: Int32 = 0
    var type: UnsafePointer<CChar>?
    var shape = [Int64](repeating: 0, count: Int(ASSAY_OV_MAX_RANK))
    let memory = try OpenVINOFault.checked {
      assay_ov_request_output(handle.pointer, index, &type, &count, &shape, &rank, $0, $1)
    }
    guard rank >= 0, count <= Self.limit else {
      throw OpenVINOFault(text: "the output \(name) has more than \(Self.limit) values")
    }
    var values: [Float] = []
    values.reserveCapacity(count)
    try Self.element(type).append(0..<count, of: UnsafeRawPointer(memory), to: &values)
    return Tensor(shape: shape.prefix(Int(rank)).map { Int($0) }, values: values)
  }

  private static func element(
    _ name: UnsafePointer<CChar>?
  ) throws(OpenVINOFault) -> TensorElement {
    let text = name.map { String(cString: $0) } ?? ""
    guard let element = TensorElement(rawValue: text) else {
      throw OpenVINOFault(text: "a tensor of the element type \(text), which cannot be converted")
    }
    return element
  }
}
