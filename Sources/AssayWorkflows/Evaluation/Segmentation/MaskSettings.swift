import AssayCore
package import AssayMetrics

/// The settings for making masks from a run's maps and for evaluating them.
package struct MaskSettings: Sendable, Hashable {
  /// The minimum probability that sets a pixel, in 0...1; `nil` for the run's own.
  package var threshold: Double?
  package var cleanup = MaskCleanup()
  /// The score of a sample for a class that is in neither its ground truth nor its prediction.
  package var empty: EmptyRule = .undefined
  /// Classes of the dataset whose regions are excluded from the evaluation.
  package var ignored: [String] = []
  /// True if boundary IoU is computed.
  package var hasBoundary = true
  /// Thresholds to evaluate in addition to ``threshold``; not stored with an evaluation.
  package var sweep: ThresholdRange?

  package init() {}

  /// All settings that affect a metric, for the stored settings of an evaluation.
  var members: [JSONValue.Member] {
    [
      .init("threshold", JSONValue(threshold)), .init("open", JSONValue(cleanup.opening)),
      .init("close", JSONValue(cleanup.closing)),
      .init("fill_holes", .bool(cleanup.fillsHoles)),
      .init("largest_component", .bool(cleanup.keepsLargest)),
      .init("min_area", JSONValue(cleanup.minimumArea)), .init("empty", .string(empty.rawValue)),
      .init("ignore", .array(ignored.map { .string($0) })),
      .init("boundary", .bool(hasBoundary)),
    ]
  }

  /// Reads ``members`` back; a missing member keeps its default.
  init(json: JSONValue) {
    func count(_ name: String) -> Int {
      json[name]?.double.flatMap { Int(exactly: $0) }.map { max(0, $0) } ?? 0
    }
    threshold = json["threshold"]?.double
    cleanup.opening = count("open")
    cleanup.closing = count("close")
    cleanup.fillsHoles = json["fill_holes"] == .bool(true)
    cleanup.keepsLargest = json["largest_component"] == .bool(true)
    cleanup.minimumArea = count("min_area")
    empty = json["empty"]?.text.flatMap(EmptyRule.init(rawValue:)) ?? .undefined
    ignored = json["ignore"]?.elements?.compactMap(\.text) ?? []
    hasBoundary = json["boundary"] != .bool(false)
  }

  /// Returns the settings that differ from the default evaluation of a run, as options.
  ///
  /// - Parameter own: the run's own threshold.
  package func differences(own: Double?) -> [String] {
    var words: [String] = []
    if let threshold, threshold != own { words.append("--threshold \(threshold)") }
    if cleanup.opening > 0 { words.append("--open \(cleanup.opening)") }
    if cleanup.closing > 0 { words.append("--close \(cleanup.closing)") }
    if cleanup.fillsHoles { words.append("--fill-holes") }
    if cleanup.keepsLargest { words.append("--largest-component") }
    if cleanup.minimumArea > 0 { words.append("--min-area \(cleanup.minimumArea)") }
    if empty != .undefined { words.append("--empty \(empty.rawValue)") }
    words += ignored.map { "--ignore \($0)" }
    return words
  }

  /// A part of the evaluation's name for each difference: `threshold-0.4`, `open-2`.
  func nameParts(own: Double?) -> [String] {
    differences(own: own).map { words in
      let part = words.dropFirst(2).replacing(" ", with: "-")
      let isPlain = part.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
      }
      return isPlain && part.count <= 40
        ? String(part) : "ignore-" + ContentHash.of(Array(words.utf8)).prefix(8)
    }
  }
}
