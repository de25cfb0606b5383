import AssayCore

/// A runner's answer to `describe`.
struct RunnerDescription {
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
