extension ModelManifest {
  /// The lines of a draft for heat maps of one object's keypoints.
  static func heatMapLines(_ maps: (output: TensorSignature, points: Int)) -> [String] {
    [
      "head: keypoints\(todo): one object per image",
      "activation: none\(todo): sigmoid if the maps are logits",
      "heat-maps-output: \(quoted(maps.output.name))", "keypoints: \(maps.points)x3",
      "decode: quarter\(todo): quarter or argmax",
    ]
  }

  /// The lines of a draft for the values of one object's keypoints.
  static func pointLines(_ points: (output: TensorSignature, form: KeypointForm)) -> [String] {
    [
      "head: keypoints\(todo): one object per image",
      "keypoints-output: \(quoted(points.output.name))",
      "keypoints: \(points.form.points)x\(points.form.values)",
      "keypoint-axes: yx\(todo): yx if the vertical coordinate comes first (MoveNet), else xy",
      "box-units: relative\(todo): pixels of the model's input, or relative: fractions of it",
      "activation: none\(todo): sigmoid if the keypoints' scores are logits",
    ]
  }

  /// The output that is named as heat maps, `[N, points, height, width]`, and the number of its points; `nil` if
  /// there is none.
  static func heatMaps(
    _ outputs: [TensorSignature]
  ) -> (output: TensorSignature, points: Int)? {
    for output in outputs where output.name.lowercased().filter({ $0 != "_" }).contains("heatmap") {
      if let shape = output.shape, shape.count == 4, let points = shape[1], points > 0 {
        return (output, points)
      }
    }
    return nil
  }

  /// The output with COCO's 17 keypoints of one object, each with a score, `[N, 1, 17, 3]`, and their form; `nil` if
  /// there is none.
  static func onePose(
    _ outputs: [TensorSignature]
  ) -> (output: TensorSignature, form: KeypointForm)? {
    for output in outputs where !output.isInteger {
      guard output.shape?.dropFirst().filter({ $0 != 1 }) == [17, 3] else { continue }
      return (output, KeypointForm(points: 17, values: 3))
    }
    return nil
  }
}
