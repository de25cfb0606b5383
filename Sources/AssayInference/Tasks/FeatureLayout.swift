/// The layout of the features in a model's output.
package struct FeatureLayout: Hashable, Sendable {
  /// The maximum number of features.
  package static let limit = 65_536

  /// The name of the output.
  package let output: String
  /// The lengths of the output for one image.
  package let shape: [Int]
  /// True if the features are the channels of a map, of which the mean over all positions is taken.
  package var isPooled: Bool { shape.count == 3 }
  /// True if the channels come last.
  private let hasChannelsLast: Bool
  /// The number of values that the model gives per image, and of features.
  let count: Int
  package let dimension: Int

  /// - Parameters:
  ///   - tensor: the output for an input of known size. With three lengths for an image it is a map,
  ///     in the order of the model's input; otherwise all of its values are features.
  ///   - layout: the order of the model's input.
  /// - Throws: ``InferenceError/featureShape(model:limit:)``,
  ///   ``InferenceError/elementType(_:isInput:)``.
  init(of tensor: TensorSignature, _ layout: ModelInput.Layout) throws(InferenceError) {
    guard tensor.element == "f32" else { throw .elementType(tensor, isInput: false) }
    let refusal = InferenceError.featureShape(model: tensor, limit: Self.limit)
    guard let lengths = tensor.shape?.dropFirst() else { throw refusal }
    var count = 1
    var shape: [Int] = []
    for length in lengths {
      guard let length, length > 0 else { throw refusal }
      let (product, overflow) = count.multipliedReportingOverflow(by: length)
      guard !overflow, product <= Self.valueLimit else { throw refusal }
      count = product
      shape.append(length)
    }
    self.shape = shape
    self.count = count
    output = tensor.name
    hasChannelsLast = layout == .nhwc
    dimension = shape.count == 3 ? shape[hasChannelsLast ? 2 : 0] : count
    guard (2...Self.limit).contains(dimension) else { throw refusal }
  }

  /// The maximum number of values of a map.
  private static let valueLimit = 1 << 26

  /// The features of one image: the values, or their means over the positions of a map, divided by
  /// their length (the root of the sum of squares). All 0 stay 0.
  ///
  /// - Parameter values: as the model gives them.
  func features(of values: [Float]) -> [Float] {
    let sums = sums(of: values)
    let length = sums.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return length > 0 ? sums.map { Float($0 / length) } : sums.map { _ in 0 }
  }

  /// The vector of one image: the values as they are, or their means over the positions of a map.
  ///
  /// - Parameter values: as the model gives them.
  func vector(of values: [Float]) -> [Float] {
    guard isPooled else { return values }
    let area = Double(count / dimension)
    return sums(of: values).map { Float($0 / area) }
  }

  /// The sum of each feature over the positions of a map; the values themselves if there is no map.
  private func sums(of values: [Float]) -> [Double] {
    var sums = [Double](repeating: 0, count: dimension)
    if isPooled, !hasChannelsLast {
      let area = count / dimension
      for channel in 0..<dimension {
        for value in values[channel * area..<(channel + 1) * area] {
          sums[channel] += Double(value)
        }
      }
    } else {
      for start in stride(from: 0, to: count, by: dimension) {
        for channel in 0..<dimension { sums[channel] += Double(values[start + channel]) }
      }
    }
    return sums
  }
}

/// Reads the features of an image.
package struct FeatureReader: OutputReader {
  package let activation = Activation.none
  package let layout: FeatureLayout

  package init(_ model: ValidatedModel) throws(InferenceError) {
    guard let layout = model.features else {
      throw .otherTask(model.manifest.task, model: model.file.path)
    }
    self.layout = layout
  }

  /// The features with a length of 1; see ``FeatureLayout``.
  package func answer(of outputs: [Float], sample: String) throws(InferenceError) -> [Float] {
    guard outputs.allSatisfy(\.isFinite) else { throw .notFinite(sample: sample, outputs: outputs) }
    return layout.features(of: outputs)
  }

  package func areProbabilities(_ outputs: [Float]) -> Bool { false }
}

/// A model for features, compiled once per worker.
package typealias FeaturePool = ModelPool<FeatureReader>
