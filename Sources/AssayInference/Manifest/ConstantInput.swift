import AssayCore

/// An input of a model besides the image, with values that do not depend on the image's content.
///
/// Models that ask for the sizes of images to scale their boxes back (PaddleDetection's `scale_factor`,
/// RT-DETR's `orig_target_sizes`) get those of their own input: their boxes are then in the input's pixels,
/// and assay scales them back as it does for all models.
package struct ConstantInput: Hashable, Sendable {
  /// A value, or a side of the model's image input in pixels. The raw value is the manifest's spelling.
  package enum Value: Hashable, Sendable {
    case number(Double)
    case width
    case height

    /// The number, or `"width"` or `"height"`.
    var json: JSONValue {
      switch self {
      case .number(let value): JSONValue(value)
      case .width: .string("width")
      case .height: .string("height")
      }
    }

    func number(in size: ImageSize) -> Double {
      switch self {
      case .number(let value): value
      case .width: Double(size.width)
      case .height: Double(size.height)
      }
    }
  }

  package let name: String
  /// One value for all elements, or one for each of the last dimension.
  package let values: [Value]

  package init(name: String, values: [Value]) {
    self.name = name
    self.values = values
  }

  /// The maximum number of elements.
  static let elementLimit = 1 << 24

  /// The lengths of the tensor.
  ///
  /// An open first length is the batch. Of other open lengths, the last two of three or more are the image
  /// input's height and width, and the last one is the number of ``values`` if there are several.
  ///
  /// - Parameters:
  ///   - tensor: the model's input.
  ///   - batch: the number of images; `nil` if the image input has no batch dimension.
  /// - Throws: ``InferenceError/constantShape(_:values:)`` if lengths stay open or the values do not fit.
  func shape(
    of tensor: TensorSignature, batch: Int?, size: ImageSize
  ) throws(InferenceError) -> [Int] {
    let fault = InferenceError.constantShape(tensor, values: values.count)
    guard let lengths = tensor.shape, lengths.count <= 8 else { throw fault }
    var shape: [Int] = []
    var count = 1
    for (index, length) in lengths.enumerated() {
      let isBatch = index == 0 && batch != nil
      var found = length ?? (isBatch ? batch : nil)
      if found == nil, lengths.count >= (batch == nil ? 2 : 3), index >= lengths.count - 2 {
        found = index == lengths.count - 1 ? size.width : size.height
      }
      if found == nil, index == lengths.count - 1, values.count > 1 { found = values.count }
      guard let found, found > 0 else { throw fault }
      let (product, overflow) = count.multipliedReportingOverflow(by: found)
      guard !overflow, product <= Self.elementLimit else { throw fault }
      count = product
      shape.append(found)
    }
    guard values.count == 1 || shape.last == values.count else { throw fault }
    return shape
  }

  /// The elements of a tensor of this many elements, for an image input of this size.
  func elements(_ count: Int, in size: ImageSize) -> [Float] {
    let row = values.map { Float($0.number(in: size)) }
    return (0..<count).map { row[$0 % row.count] }
  }
}
