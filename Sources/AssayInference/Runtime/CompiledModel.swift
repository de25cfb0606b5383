import COpenVINO
import Synchronization

/// A model compiled for one thread and one batch size, with its own request.
///
/// The same input gives the same bits regardless of the rest of the batch; every run checks this
/// (``ModelPool``). Calls from several threads wait for each other.
package final class CompiledModel: Sendable {
  /// The batch size of the model.
  package let batch: Int
  /// The number of float32 input and output values per sample; several outputs are stored one after
  /// another.
  package let inputCount: Int
  package let outputCount: Int
  /// The outputs that are read, each with its number of values per sample.
  private let outputs: [(index: Int, count: Int)]
  private let request: Mutex<Request>

  private struct Request: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// - Parameters:
  ///   - input: the number of input values per sample.
  ///   - outputs: the indices of the outputs that are read.
  ///   - outputCounts: the number of values per sample of each output.
  /// - Throws: ``InferenceError``.
  init(
    _ graph: ModelGraph, precision: Precision, batch: Int, inputCount: Int, outputs: [Int],
    outputCounts: [Int]
  ) throws(InferenceError) {
    self.batch = batch
    self.inputCount = inputCount
    self.outputCount = outputCounts.reduce(0, +)
    self.outputs = zip(outputs, outputCounts).map { (index: $0, count: $1) }
    self.request = Mutex(Request(pointer: try graph.compile(precision)))
  }

  deinit { request.withLock { assay_ov_request_free($0.pointer) } }

  /// Runs the model on up to ``batch`` samples.
  ///
  /// - Parameters:
  ///   - count: the number of samples, in `1...batch`.
  ///   - fill: writes the sample at an index in `0..<count` into memory of ``inputCount`` values.
  /// - Returns: ``outputCount`` values per sample, as the model outputs them.
  /// - Throws: ``InferenceError/inferenceFailed(reason:)``, and the errors of `fill`.
  package func infer(
    _ count: Int, fill: (Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws -> [[Float]] {
    precondition((1...batch).contains(count))
    return try request.withLock { request in
      do {
        let input = try input(of: request.pointer)
        for sample in 0..<count {
          let start = sample * inputCount
          try fill(sample, UnsafeMutableBufferPointer(rebasing: input[start..<start + inputCount]))
        }
        input[(count * inputCount)...].update(repeating: 0)
        try OpenVINOFault.check { assay_ov_request_infer(request.pointer, $0, $1) }
        return try outputs(of: request.pointer, count: count)
      } catch let fault as OpenVINOFault {
        throw InferenceError.inferenceFailed(reason: fault.text)
      }
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

  private func input(of request: OpaquePointer) throws(OpenVINOFault)
    -> UnsafeMutableBufferPointer<Float>
  {
    var size = 0
    let memory = try OpenVINOFault.checked { assay_ov_request_input(request, 0, &size, $0, $1) }
    guard size == batch * inputCount else {
      throw OpenVINOFault(text: "an input of \(size) values, not \(batch * inputCount)")
    }
    return UnsafeMutableBufferPointer(start: memory, count: size)
  }

  private func outputs(of request: OpaquePointer, count: Int) throws(OpenVINOFault) -> [[Float]] {
    var parts: [UnsafeBufferPointer<Float>] = []
    for output in outputs { parts.append(try values(of: request, output.index, output.count)) }
    return (0..<count).map { sample in
      var row: [Float] = []
      row.reserveCapacity(outputCount)
      for (part, output) in zip(parts, outputs) {
        row += UnsafeBufferPointer(
          rebasing: part[sample * output.count..<(sample + 1) * output.count])
      }
      return row
    }
  }

  /// The memory of an output with this many values per sample.
  private func values(
    of request: OpaquePointer, _ index: Int, _ outputCount: Int
  ) throws(OpenVINOFault) -> UnsafeBufferPointer<Float> {
    var size = 0
    var rank: Int32 = 0
    var shape = [Int64](repeating: 0, count: Int(ASSAY_OV_MAX_RANK))
    let memory = try OpenVINOFault.checked {
      assay_ov_request_output(request, index, &size, &shape, &rank, $0, $1)
    }
    guard size == batch * outputCount, rank >= 1, shape[0] == Int64(batch) else {
      let found = shape.prefix(max(0, Int(rank)))
      throw OpenVINOFault(text: "an output of \(found), not [\(batch), \(outputCount)]")
    }
    return UnsafeBufferPointer(start: memory, count: size)
  }
}
