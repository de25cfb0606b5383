package import AssayCore
import COpenVINO
import Synchronization

/// A model compiled for one thread and one batch size, with its own request.
///
/// The same input gives the same bits regardless of the rest of the batch; every run checks this
/// (``ModelPool``). Calls from several threads wait for each other.
package final class CompiledModel: BatchModel {
  /// The batch size of the model.
  package let batch: Int
  /// The number of output values per sample; several outputs are stored one after another.
  package let outputCount: Int
  private let inputs: InputPlan
  /// The size of inputs for which none is given.
  private let size: ImageSize
  private let outputs: [OutputPlan]
  private let scale: OutputScale?
  private let memory: TensorMemory?
  private let request: Mutex<Request>

  private struct Request: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// - Parameters:
  ///   - size: the size of the model's images; the maximum if it differs from image to image.
  ///   - outputs: the outputs that are read.
  ///   - scale: the conversion of their values; `nil` for none.
  /// - Throws: ``InferenceError``.
  init(
    _ graph: ModelGraph, precision: Precision, batch: Int, inputs: InputPlan, size: ImageSize,
    outputs: [OutputPlan], scale: OutputScale?
  ) throws(InferenceError) {
    self.batch = batch
    self.inputs = inputs
    self.size = size
    self.outputCount = outputs.map(\.count).reduce(0, +)
    self.outputs = outputs
    self.scale = scale
    memory = graph.memory
    let request = Request(pointer: try graph.compile(precision))
    self.request = Mutex(request)
    guard inputs.hasFixedSize else { return }
    do throws(OpenVINOFault) {
      try writeConstants(to: request.pointer, size)
    } catch {
      throw .inferenceFailed(reason: error.text)
    }
  }

  deinit { request.withLock { assay_ov_request_free($0.pointer) } }

  /// Runs the model on up to ``batch`` samples.
  ///
  /// - Parameters:
  ///   - count: the number of samples, in `1...batch`.
  ///   - size: the size of their inputs; `nil` for the model's.
  ///   - fill: writes the sample at an index in `0..<count` into memory for its input values.
  /// - Returns: ``outputCount`` values per sample, as the model outputs them.
  /// - Throws: ``InferenceError/inferenceFailed(reason:)``, and the errors of `fill`.
  package func infer(
    _ count: Int, size: ImageSize? = nil,
    fill: (Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws -> [[Float]] {
    precondition((1...batch).contains(count))
    return try request.withLock { request in
      do {
        let size = size ?? self.size
        if !inputs.hasFixedSize { try resize(request.pointer, to: size) }
        try write(count, to: request.pointer, size, fill: fill)
        try OpenVINOFault.check { assay_ov_request_infer(request.pointer, $0, $1) }
        return try outputs(of: request.pointer, count: count)
      } catch let fault as OpenVINOFault {
        throw InferenceError.inferenceFailed(reason: fault.text)
      }
    }
  }

  package func infer(
    names: [String], files: (Int) -> String?, size: ImageSize?,
    fill: (Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws -> [[Float]] {
    try infer(names.count, size: size, fill: fill)
  }

  /// Sets the shapes of all inputs for images of one size.
  private func resize(_ request: OpaquePointer, to size: ImageSize) throws {
    for (index, lengths) in try inputs.shapes(batch: batch, of: size) {
      let lengths = lengths.map(Int64.init)
      try OpenVINOFault.check {
        assay_ov_request_set_shape(request, index, lengths, lengths.count, $0, $1)
      }
    }
    try writeConstants(to: request, size)
  }

  /// Fills the inputs besides the image.
  private func writeConstants(
    to request: OpaquePointer, _ size: ImageSize
  ) throws(OpenVINOFault) {
    for (index, elements) in inputs.constants(in: size) {
      var count = 0
      var name: UnsafePointer<CChar>?
      let memory = try OpenVINOFault.checked {
        assay_ov_request_input(request, index, &name, &count, $0, $1)
      }
      let element = try Self.element(name)
      elements(count).withUnsafeBufferPointer { element.write($0, to: memory) }
    }
  }

  /// A property as set by OpenVINO: `NUM_STREAMS`, `INFERENCE_PRECISION_HINT`, …
  package func property(_ key: String) throws(InferenceError) -> String {
    let result: Result<String, OpenVINOFault> = request.withLock { request in
      do throws(OpenVINOFault) {
        return .success(
          try OpenVINOFault.text {
            assay_ov_request_property(request.pointer, key, $0, $1, $2, $3)
          })
      } catch {
        return .failure(error)
      }
    }
    do throws(OpenVINOFault) { return try result.get() } catch {
      throw .inferenceFailed(reason: error.text)
    }
  }

  /// Fills the input: `count` samples, and zeros for the rest of the batch.
  private func write(
    _ count: Int, to request: OpaquePointer, _ imageSize: ImageSize,
    fill: (Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws {
    let inputCount = inputs.count(of: imageSize)
    var size = 0
    var name: UnsafePointer<CChar>?
    let memory = try OpenVINOFault.checked {
      assay_ov_request_input(request, inputs.image, &name, &size, $0, $1)
    }
    guard size == batch * inputCount else {
      throw OpenVINOFault(text: "an input of \(size) values, not \(batch * inputCount)")
    }
    let element = try Self.element(name)
    func fillAll(_ input: UnsafeMutableBufferPointer<Float>) throws {
      for sample in 0..<count {
        let start = sample * inputCount
        try fill(sample, UnsafeMutableBufferPointer(rebasing: input[start..<start + inputCount]))
      }
      input[(count * inputCount)...].update(repeating: 0)
    }
    if element == .f32 {
      return try fillAll(
        UnsafeMutableBufferPointer(
          start: memory.assumingMemoryBound(to: Float.self), count: size))
    }
    try withUnsafeTemporaryAllocation(of: Float.self, capacity: size) { values in
      values.initialize(repeating: 0)
      try fillAll(values)
      element.write(UnsafeBufferPointer(values), to: memory)
    }
  }

  private static func element(_ name: UnsafePointer<CChar>?) throws(OpenVINOFault)
    -> TensorElement
  {
    let text = name.map { String(cString: $0) } ?? ""
    guard let element = TensorElement(rawValue: text) else {
      throw OpenVINOFault(text: "a tensor of the element type \(text), which cannot be converted")
    }
    return element
  }

  private func outputs(of request: OpaquePointer, count: Int) throws(OpenVINOFault) -> [[Float]] {
    var parts: [(memory: UnsafeRawPointer, element: TensorElement, perSample: Int)] = []
    for output in outputs { parts.append(try values(of: request, output)) }
    return (0..<count).map { sample in
      var row: [Float] = []
      row.reserveCapacity(outputCount)
      for (part, output) in zip(parts, outputs) {
        let start = sample * part.perSample
        part.element.append(start..<start + part.perSample, of: part.memory, to: &row)
        if let width = output.transposedWidth {
          let first = row.count - part.perSample
          let values = Array(row[first...])
          let count = part.perSample / width
          for place in 0..<count * width {
            row[first + place] = values[place % width * count + place / width]
          }
        }
        if output.isPadded { row += repeatElement(0, count: output.count - part.perSample) }
      }
      if let scale { scale.apply(to: &row, from: outputs.embeddingCount) }
      return row
    }
  }

  /// The memory of an output, with its number of values per sample: those of the plan, or fewer if
  /// their number is known only now.
  private func values(
    of request: OpaquePointer, _ output: OutputPlan
  ) throws(OpenVINOFault) -> (UnsafeRawPointer, TensorElement, Int) {
    var size = 0
    var rank: Int32 = 0
    var name: UnsafePointer<CChar>?
    var shape = [Int64](repeating: 0, count: Int(ASSAY_OV_MAX_RANK))
    let memory = try OpenVINOFault.checked {
      assay_ov_request_output(request, output.index, &name, &size, &shape, &rank, $0, $1)
    }
    let found = shape.prefix(max(0, Int(rank)))
    let isWhole =
      output.isOpen
      ? size.isMultiple(of: batch) && size / batch <= output.count
        && (size / batch).isMultiple(of: output.transposedWidth ?? 1)
        && (!output.isBatched || found.first == Int64(batch))
      : size == batch * output.count && (!output.isBatched || found.first == Int64(batch))
    guard rank >= 0, isWhole else {
      let expected = output.isOpen ? "at most \(output.count)" : "\(output.count)"
      throw OpenVINOFault(
        text: output.isOpen && size / max(1, batch) > output.count
          ? "more values than the limit of \(output.count) per image"
          : "an output of \(found), not [\(batch), \(expected)]")
    }
    return (UnsafeRawPointer(memory), try Self.element(name), size / batch)
  }
}
