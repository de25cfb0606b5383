import AssayCore
import COpenVINO

/// The inputs of a model: the image, and others with constant values.
struct InputPlan: Sendable {
  /// The image input's index in the model.
  let image: Int
  private let input: ModelInput
  /// The image input's number of dimensions is 3 without a batch dimension.
  let isBatched: Bool
  private let constants: [(index: Int, tensor: TensorSignature, input: ConstantInput)]

  /// Finds the inputs that a manifest names.
  ///
  /// - Throws: ``InferenceError/inputCount(model:)`` unless exactly one input is left for the image;
  ///   ``InferenceError/constantUnknown(_:model:)``, ``InferenceError/constantShape(_:values:)``,
  ///   ``InferenceError/elementType(_:isInput:)``.
  init(_ manifest: ModelManifest, _ signature: ModelSignature) throws(InferenceError) {
    input = manifest.input
    var constants: [(index: Int, tensor: TensorSignature, input: ConstantInput)] = []
    for constant in manifest.constantInputs {
      guard let index = signature.inputs.firstIndex(where: { $0.name == constant.name }) else {
        throw .constantUnknown(constant.name, model: signature.inputs)
      }
      let tensor = signature.inputs[index]
      guard TensorElement(rawValue: tensor.element) != nil else {
        throw .elementType(tensor, isInput: true)
      }
      constants.append((index, tensor, constant))
    }
    let left = signature.inputs.indices.filter { index in
      !constants.contains { $0.index == index }
    }
    guard left.count == 1, signature.inputs.count <= Int(ASSAY_OV_MAX_INPUTS) else {
      throw .inputCount(model: signature.inputs)
    }
    image = left[0]
    isBatched = signature.inputs[left[0]].shape?.count != 3
    self.constants = constants
    _ = try shapes(batch: 1, of: manifest.input.size)
  }

  /// True if the inputs of all images have the same size.
  var hasFixedSize: Bool { input.hasFixedSize }

  /// The number of values of the image input per image, for inputs of a size.
  func count(of size: ImageSize) -> Int { size.area * input.color.channels }

  /// The lengths of each input for images of one size, with its index.
  ///
  /// - Throws: ``InferenceError/constantShape(_:values:)``.
  func shapes(
    batch: Int, of size: ImageSize
  ) throws(InferenceError) -> [(index: Int, lengths: [Int])] {
    let lengths = Array(input.shape(batch: batch, of: size).dropFirst(isBatched ? 0 : 1))
    var shapes = [(index: image, lengths: lengths)]
    for constant in constants {
      shapes.append(
        (
          constant.index,
          try constant.input.shape(of: constant.tensor, batch: isBatched ? batch : nil, size: size)
        ))
    }
    return shapes
  }

  /// The shapes to compile a model for: with open sides if they differ from image to image.
  ///
  /// - Throws: ``InferenceError/constantShape(_:values:)``.
  func compiledShapes(batch: Int) throws(InferenceError) -> [assay_ov_input_shape] {
    let largest = try shapes(batch: batch, of: input.size)
    guard !hasFixedSize else { return largest.map { Self.shape($0.index, $0.lengths, $0.lengths) } }
    let smallest = try shapes(batch: batch, of: ImageSize(width: 1, height: 1))
    return zip(smallest, largest).map { Self.shape($0.index, $0.lengths, $1.lengths) }
  }

  /// The shapes for the largest image.
  ///
  /// - Throws: ``InferenceError/constantShape(_:values:)``.
  func largestShapes(batch: Int) throws(InferenceError) -> [assay_ov_input_shape] {
    try shapes(batch: batch, of: input.size).map { Self.shape($0.index, $0.lengths, $0.lengths) }
  }

  /// The elements of the constant inputs for images of one size.
  func constants(in size: ImageSize) -> [(index: Int, elements: (Int) -> [Float])] {
    constants.map { constant in
      (constant.index, { constant.input.elements($0, in: size) })
    }
  }

  private static func shape(_ index: Int, _ least: [Int], _ most: [Int]) -> assay_ov_input_shape {
    var shape = assay_ov_input_shape()
    shape.input = index
    shape.rank = Int32(least.count)
    withUnsafeMutableBytes(of: &shape.least) { bytes in
      for (place, length) in least.enumerated() {
        bytes.storeBytes(of: Int64(length), toByteOffset: 8 * place, as: Int64.self)
      }
    }
    withUnsafeMutableBytes(of: &shape.most) { bytes in
      for (place, length) in most.enumerated() {
        bytes.storeBytes(of: Int64(length), toByteOffset: 8 * place, as: Int64.self)
      }
    }
    return shape
  }
}
