package import AssayCore
package import AssayImaging
import AssayInference
import AssayStore

/// The settings of a run that are needed to make masks from its stored maps, without the model.
///
/// Their JSON is the run's `settings`.
package struct SegmentationRecipe: Hashable, Sendable {
  /// The floating-point precision inside the model: `f32`, `bf16` or `f16`.
  package var precision: String
  /// True if the probability maps are stored; otherwise only masks at the run's own threshold are
  /// stored.
  package var keepsMaps: Bool
  /// True if the masks are stored beside the maps, because they were chosen from probabilities
  /// that the maps hold only in 8 bits. Always true for new runs without a threshold; runs of
  /// earlier versions chose the most likely class from the maps.
  package var keepsMasks: Bool
  /// True if the model gives the number of each pixel's class and no probabilities.
  package var isLabelMap: Bool
  /// The minimum probability inside a mask; `nil` if each pixel gets its most likely class.
  package var threshold: Double?
  /// The ordinal of the background class in the run; `nil` if the model has none.
  package var background: Int?
  /// The size of the model's input.
  package var input: ImageSize
  /// The resize of an image to that size.
  package var resize: ResizeRule

  package init(
    precision: String, keepsMaps: Bool, keepsMasks: Bool = false,
    isLabelMap: Bool = false, threshold: Double?,
    background: Int?, input: ImageSize, resize: ResizeRule
  ) {
    self.precision = precision
    self.keepsMaps = keepsMaps
    self.keepsMasks = keepsMasks
    self.isLabelMap = isLabelMap
    self.threshold = threshold
    self.background = background
    self.input = input
    self.resize = resize
  }

  /// The settings of a model's run.
  ///
  /// - Parameter keepsMaps: true to store the probability maps, if the model gives any.
  init(of manifest: ModelManifest, precision: String, keepsMaps: Bool) {
    self.init(
      precision: precision, keepsMaps: keepsMaps && !manifest.isLabelMap,
      keepsMasks: manifest.maskThreshold == nil, isLabelMap: manifest.isLabelMap,
      threshold: manifest.maskThreshold, background: manifest.background,
      input: manifest.input.size, resize: manifest.input.resize)
  }

  /// True if there is one map with a threshold; false if there is one map per class, of which the
  /// most likely class is chosen.
  package var isBinary: Bool { threshold != nil }

  /// The resize of an image of this size to the model's input.
  package func plan(for size: ImageSize) -> ResizePlan {
    ResizePlan(resize, from: size, to: input)
  }

  /// The settings as JSON text, members in a fixed order.
  package var settings: String {
    var input: [JSONValue.Member] = [
      .init("width", JSONValue(self.input.width)), .init("height", JSONValue(self.input.height)),
      .init("resize", .string(ResizeSpelling(resize).rawValue)),
    ]
    if case .letterbox(let fill, let anchor, let rounding, _) = resize {
      input.append(.init("fill", JSONValue(Int(fill))))
      input.append(.init("anchor", .string(anchor.rawValue)))
      // Earlier runs do not name it.
      if rounding != .down { input.append(.init("rounding", .string(rounding.rawValue))) }
    }
    var members: [JSONValue.Member] = [
      .init("task", .string(ModelTask.segmentation.rawValue)),
      .init("precision", .string(precision)), .init("maps", .bool(keepsMaps)),
    ]
    // Runs with a threshold do not name it, so that earlier ones are still found.
    if keepsMasks { members.append(.init("masks", .bool(true))) }
    if isLabelMap { members.append(.init("labels", .bool(true))) }
    members += [
      .init("threshold", JSONValue(threshold)), .init("background", JSONValue(background)),
      .init("input", .object(input)),
    ]
    return JSONValue.object(members).text()
  }

  /// Reads ``settings`` back; `nil` for other text.
  package init?(settings text: String) {
    guard let json = try? JSONValue(parsing: text),
      json["task"]?.text == ModelTask.segmentation.rawValue,
      let precision = json["precision"]?.text, case .bool(let keepsMaps)? = json["maps"],
      let input = json["input"], let width = Self.count(input["width"]),
      let height = Self.count(input["height"]),
      let size = ImageSize.checked(width: width, height: height),
      let resize = Self.resize(input)
    else { return nil }
    let threshold = json["threshold"]?.double
    if let threshold, !(0...1).contains(threshold) { return nil }
    self.init(
      precision: precision, keepsMaps: keepsMaps, keepsMasks: json["masks"] == .bool(true),
      isLabelMap: json["labels"] == .bool(true),
      threshold: threshold,
      background: Self.count(json["background"]), input: size, resize: resize)
  }

  /// Reads the settings of a run.
  ///
  /// - Throws: ``RunMasksError/otherTask(run:task:)``, ``RunMasksError/settings(run:)``.
  init(of run: RunRecord) throws(RunMasksError) {
    guard run.task.output == .masks else { throw .otherTask(run: run.name, task: run.task) }
    guard let recipe = Self(settings: run.settings) else { throw .settings(run: run.name) }
    self = recipe
  }

  private static func resize(_ input: JSONValue) -> ResizeRule? {
    switch input["resize"]?.text.flatMap(ResizeSpelling.init(rawValue:)) {
    case .stretch: return .stretch
    case .centerCrop: return .centerCrop
    case .letterbox:
      guard let fill = count(input["fill"]).flatMap({ UInt8(exactly: $0) }),
        let anchor = input["anchor"]?.text.flatMap(LetterboxAnchor.init(rawValue:))
      else { return nil }
      let rounding = input["rounding"]?.text
      guard let known = rounding.map(LetterboxRounding.init(rawValue:)) ?? .down else {
        return nil
      }
      return .letterbox(fill: fill, anchor: anchor, rounding: known)
    case .shorterCrop, .stretchCrop, .edges, nil: return nil
    }
  }

  /// A non-negative integer.
  private static func count(_ value: JSONValue?) -> Int? {
    guard let value = value?.double.flatMap({ Int(exactly: $0) }), value >= 0 else { return nil }
    return value
  }
}
