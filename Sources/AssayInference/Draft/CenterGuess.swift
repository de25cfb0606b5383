import AssayCore

/// Offsets from the centers of anchors, guessed from the shapes of outputs: as many rows as one of MediaPipe's detectors
/// has for an input of that size, with four numbers and keypoints, and a score each.
struct CenterGuess: Equatable {
  /// The outputs by index.
  var boxes: Int
  var scores: Int
  /// The number of values of each box.
  var values: Int
  var strides: [Int]
  var anchorsPerCell: [Int]

  /// The strides and anchors per cell of MediaPipe's detectors: faces at short range and hands, faces at full range,
  /// poses.
  private static let usual = [([8, 16], [2, 6]), ([4], [1]), ([8, 16, 32], [2, 2, 6])]

  /// - Parameter input: the size of the model's input, if it is known.
  init?(_ outputs: [TensorSignature], input: (width: Int, height: Int)?) {
    guard let input, let size = ImageSize.checked(width: input.width, height: input.height) else {
      return nil
    }
    let lengths = outputs.map { output -> [Int] in
      let known = output.shape?.dropFirst().compactMap(\.self) ?? []
      return output.isInteger || known.count != 2 ? [] : known
    }
    for (strides, anchors) in Self.usual
    where strides.allSatisfy({ size.width.isMultiple(of: $0) && size.height.isMultiple(of: $0) }) {
      let rows = CenterRule(strides: strides, anchorsPerCell: anchors, units: .pixels)
        .rowCount(of: size)
      guard let scores = lengths.firstIndex(of: [rows, 1]),
        let boxes = lengths.firstIndex(where: {
          $0.first == rows && $0[1] > 4 && $0[1].isMultiple(of: 2)
        })
      else { continue }
      self.boxes = boxes
      self.scores = scores
      values = lengths[boxes][1]
      (self.strides, anchorsPerCell) = (strides, anchors)
      return
    }
    return nil
  }
}
