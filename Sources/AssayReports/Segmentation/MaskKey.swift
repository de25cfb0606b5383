import AssayMetrics

/// The legend of the colors over the images.
struct MaskKey: Sendable {
  /// One color with its name.
  struct Entry: Sendable {
    let word: String
    let color: RGB
    /// True if the color fills regions, false if it is the color of an outline.
    let isFilled: Bool
    let opacity: Double
  }

  let entries: [Entry]

  /// Creates a legend of outlines and differences for one class, or of the
  /// classes' colors for several.
  init(_ report: SegmentationReport) {
    let labels = report.scores.labels
    var entries: [Entry] = []
    if labels.isBinary {
      let difference = MaskOverlay.differenceOpacity
      entries = [
        Entry(word: "ground truth", color: Ink.truth.light, isFilled: false, opacity: 1),
        Entry(word: "prediction", color: Ink.prediction.light, isFilled: false, opacity: 1),
        Entry(word: "missed", color: Ink.truth.light, isFilled: true, opacity: difference),
        Entry(word: "added", color: Ink.prediction.light, isFilled: true, opacity: difference),
      ]
    } else {
      entries = labels.names.indices.map { label in
        Entry(
          word: labels.names[label],
          color: LabelMap.color(of: label, hasBackground: labels.hasBackground), isFilled: true,
          opacity: 1)
      }
    }
    if report.scores.void > 0 {
      entries.append(
        Entry(word: "ignored", color: ClassColor.void.0, isFilled: true, opacity: 1))
    }
    self.entries = entries
  }

  /// The values of the `mask-key` template.
  var values: [String: Any] {
    [
      "entries": entries.map { entry -> [String: Any] in
        [
          "word": entry.word, "color": entry.color.css, "isFilled": entry.isFilled,
          "opacity": NumberText.short(entry.opacity),
        ]
      }
    ]
  }
}
