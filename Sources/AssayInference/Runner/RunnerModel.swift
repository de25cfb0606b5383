import AssayCore

/// A model that a runner computes, with the outputs that are read.
///
/// Batches are not filled up: the runner gets as many images as there are.
final class RunnerModel: BatchModel {
  let batch: Int
  private let inputs: InputPlan
  /// The size of inputs for which none is given.
  private let size: ImageSize
  private let process: RunnerProcess
  /// The names of the outputs and the plans to read them.
  private let outputs: [(name: String, plan: OutputPlan)]
  private let scale: OutputScale?

  init(
    _ process: RunnerProcess, batch: Int, inputs: InputPlan, size: ImageSize, outputs: [OutputPlan],
    scale: OutputScale?
  ) {
    self.process = process
    self.batch = batch
    self.inputs = inputs
    self.size = size
    self.outputs = outputs.map { (process.signature.outputs[$0.index].name, $0) }
    self.scale = scale
  }

  func infer(
    names: [String], files: (Int) -> String?, size: ImageSize?,
    fill: (Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws -> [[Float]] {
    guard !process.readsFiles else {
      let paths = try names.enumerated().map { index, name in
        guard let path = files(index) else {
          throw InferenceError.runnerNeedsFiles(command: process.program.title, sample: name)
        }
        return path
      }
      return try rows(of: process.infer(names: names, .files(paths)), names)
    }
    let size = size ?? self.size
    let inputCount = inputs.count(of: size)
    let values = try [Float](unsafeUninitializedCapacity: names.count * inputCount) {
      buffer, count in
      buffer.initialize(repeating: 0)
      count = names.count * inputCount
      for index in names.indices {
        try fill(
          index,
          UnsafeMutableBufferPointer(
            rebasing: buffer[(index * inputCount)..<((index + 1) * inputCount)]))
      }
    }
    let tensors = try values.withUnsafeBufferPointer {
      try process.infer(names: names, .arrays($0, size))
    }
    return try rows(of: tensors, names)
  }

  /// The values that are read, one row per image.
  private func rows(of tensors: [RunnerTensor], _ names: [String]) throws -> [[Float]] {
    var rows = [[Float]](repeating: [], count: names.count)
    for (name, plan) in outputs {
      guard let tensor = tensors.first(where: { $0.name == name }) else {
        throw process.failure("its answer lacks the output “\(name)”")
      }
      try append(tensor, plan, to: &rows)
    }
    if let scale {
      let start = outputs.map(\.plan).embeddingCount
      for index in rows.indices { scale.apply(to: &rows[index], from: start) }
    }
    return rows
  }

  private func append(
    _ tensor: RunnerTensor, _ plan: OutputPlan, to rows: inout [[Float]]
  ) throws(InferenceError) {
    let count = tensor.shape.dropFirst().reduce(1, *)
    guard tensor.shape.first == rows.count, plan.isOpen ? count <= plan.count : count == plan.count
    else {
      throw process.failure(
        "its output “\(tensor.name)” for \(rows.count) images has the shape \(tensor.shape), not"
          + " [\(rows.count), \(plan.isOpen ? "at most " : "")\(plan.count) values]")
    }
    tensor.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      for index in rows.indices {
        tensor.element.append((index * count)..<((index + 1) * count), of: start, to: &rows[index])
      }
    }
    guard plan.isPadded else { return }
    for index in rows.indices { rows[index] += repeatElement(0, count: plan.count - count) }
  }
}
