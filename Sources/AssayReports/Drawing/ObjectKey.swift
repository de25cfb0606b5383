/// What the lines over pictures of objects mean.
enum ObjectKey {
  /// The values of the `mask-key` template.
  static func entries(isMask: Bool) -> [[String: Any]] {
    [("truth", Ink.truth), ("prediction", .prediction)].map { word, ink in
      ["word": word, "colour": ink.light.css, "isFilled": false, "opacity": "1"]
    }
  }
}
