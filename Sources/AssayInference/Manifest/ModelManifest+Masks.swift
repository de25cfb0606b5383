extension ModelManifest {
  /// What a class of no regions is called.
  package static let backgroundName = "background"
  /// The least probability inside a mask where the manifest gives none.
  package static let usualThreshold = 0.5

  /// The ordinal of the class called `background`; `nil` where there is none.
  package var background: Int? { classes.firstIndex(of: Self.backgroundName) }

  /// The least probability inside a mask, for a segmentation of one class; `nil` where each pixel belongs
  /// to its likeliest class.
  ///
  /// A model of one class and the background takes the likelier, unless its manifest gives a threshold.
  package var maskThreshold: Double? {
    outputs.count == 1 ? threshold ?? Self.usualThreshold : threshold
  }

  /// The ordinals of the classes whose maps masks are made of, ascending: of all, but of the one class
  /// alone where there is a threshold.
  package var keptClasses: [Int] {
    maskThreshold == nil ? Array(outputs.indices) : foreground
  }

  /// The ordinals of all classes but the background.
  var foreground: [Int] { outputs.indices.filter { $0 != background } }

  /// Checks what only a segmentation may say, and what one must not.
  func masksFault() -> (key: String, fault: ManifestFault)? {
    guard task.output == .masks else {
      if threshold != nil {
        return ("threshold", .otherTask(key: "threshold", owner: .segmentation, task))
      }
      if outputLayout != nil {
        return ("output-layout", .otherTask(key: "output-layout", owner: .segmentation, task))
      }
      return nil
    }
    if foreground.isEmpty { return ("classes", .onlyBackground) }
    if threshold != nil, foreground.count > 1 {
      return ("threshold", .thresholdOfMany(foreground.count))
    }
    if activation == .softmax, outputs.count == 1 { return ("activation", .softmaxOfOne) }
    return nil
  }
}
