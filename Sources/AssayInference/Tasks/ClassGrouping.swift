/// The classes that a model's outputs belong to: several outputs can be one class of the dataset.
struct ClassGrouping: Hashable, Sendable {
  /// For each output the ordinal of its class.
  let classOfOutput: [Int]
  let classCount: Int

  /// True if each output is a class of its own.
  var isPlain: Bool { classCount == classOfOutput.count }

  /// The outputs of a class, ascending.
  func outputs(of ordinal: Int) -> [Int] {
    classOfOutput.indices.filter { classOfOutput[$0] == ordinal }
  }

  /// A value per class from a value per output: their sum if the outputs exclude each other, at most 1; else the
  /// largest.
  func values(of outputs: [Float], excluding: Bool) -> [Float] {
    guard !isPlain else { return outputs }
    var values = [Double](repeating: 0, count: classCount)
    for (output, ordinal) in classOfOutput.enumerated() {
      let value = Double(outputs[output])
      values[ordinal] = excluding ? values[ordinal] + value : max(values[ordinal], value)
    }
    return values.map { Float(min($0, 1)) }
  }
}

extension Activation {
  /// True if the probabilities of an image's classes exclude each other.
  var excludesOthers: Bool {
    switch self {
    case .none, .softmax: true
    case .sigmoid, .sigmoidInModel: false
    }
  }
}
