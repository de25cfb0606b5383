import AssayCore

/// Raw grids with anchors, guessed from the shapes of outputs: as many channels in each, and cells at different
/// strides.
struct AnchorGuess: Equatable {
  /// The outputs by index, from the smallest stride on.
  var outputs: [Int]
  var strides: [Int]
  var classes: Int

  /// The anchors that YOLOv5, whose values most exports have, was trained with on COCO.
  static let usual: [Int: String] = [
    8: "[10,13, 16,30, 33,23]", 16: "[30,61, 62,45, 59,119]", 32: "[116,90, 156,198, 373,326]",
  ]

  /// The number of anchors of each cell.
  private static let anchors = 3

  /// - Parameter input: the size of the model's input, if it is known.
  init?(_ outputs: [TensorSignature], input: (width: Int, height: Int)?) {
    guard let input, (2...4).contains(outputs.count) else { return nil }
    var found: [(output: Int, stride: Int, values: Int)] = []
    for (place, output) in outputs.enumerated() {
      guard !output.isInteger, let lengths = output.shape?.dropFirst().compactMap(\.self),
        lengths.count + 1 == output.shape?.count,
        let grid = Self.grid(lengths, input)
      else { return nil }
      found.append((place, grid.stride, grid.values))
    }
    found.sort { $0.stride < $1.stride }
    guard let values = found.first?.values, values > 5, found.allSatisfy({ $0.values == values }),
      Set(found.map(\.stride)).count == found.count
    else { return nil }
    self.outputs = found.map(\.output)
    strides = found.map(\.stride)
    classes = values - 5
  }

  /// Returns whether outputs are raw grids of an input of some size: that of which the first of them has the cells.
  static func looksLikeGrids(_ outputs: [TensorSignature]) -> Bool {
    let lengths = outputs.first?.shape?.dropFirst().compactMap(\.self) ?? []
    return zip(lengths, lengths.dropFirst()).contains { height, width in
      [8, 16, 32].contains { stride in
        let (tall, wide) = (
          height.multipliedReportingOverflow(by: stride),
          width.multipliedReportingOverflow(by: stride)
        )
        return !tall.overflow && !wide.overflow
          && AnchorGuess(outputs, input: (wide.partialValue, tall.partialValue)) != nil
      }
    }
  }

  private static func grid(
    _ lengths: [Int], _ input: (width: Int, height: Int)
  ) -> (stride: Int, values: Int)? {
    for stride in [8, 16, 32, 64]
    where input.width.isMultiple(of: stride) && input.height.isMultiple(of: stride) {
      let (height, width) = (input.height / stride, input.width / stride)
      let product = lengths.reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue }
      let cells = anchors * height * width
      guard product > 0, product.isMultiple(of: cells) else { continue }
      let values = product / cells
      let layouts = GridLayout.candidates(
        lengths, anchors: anchors, height: height, width: width, values: values)
      if !layouts.isEmpty { return (stride, values) }
    }
    return nil
  }
}
