/// The legend of the lines over images of objects.
enum ObjectKey {
  /// The values of the `mask-key` template.
  static func entries(isMask: Bool) -> [[String: Any]] {
    [("ground truth", Ink.truth), ("prediction", .prediction)].map { word, ink in
      ["word": word, "color": ink.light.css, "isFilled": false, "opacity": "1"]
    }
  }
}
