import AssayCore
import AssayFormats
import Foundation

/// The detections of another program's file, before they are joined to samples and classes.
struct OutsideDetections {
  struct Item {
    /// An index into ``keys``.
    var image: Int
    /// An index into ``classes``.
    var `class`: Int
    var confidence: Double
    /// In pixels, or as shares of the image's width and height.
    var box: Box
  }

  /// The images' keys in the file, in order of first appearance.
  private(set) var keys: [String] = []
  /// The class names in order of first appearance.
  private(set) var classes: [String] = []
  private(set) var items: [Item] = []
  let isRelative: Bool
  private var keyPlaces: [String: Int] = [:]
  private var classPlaces: [String: Int] = [:]

  /// The maximum number of detections.
  private static let limit = 100_000_000

  init(isRelative: Bool) { self.isRelative = isRelative }

  /// The number of an image, which need not have detections.
  mutating func image(_ key: String) -> Int {
    if let place = keyPlaces[key] { return place }
    keyPlaces[key] = keys.count
    keys.append(key)
    return keys.count - 1
  }

  private mutating func number(ofClass name: String) -> Int {
    if let place = classPlaces[name] { return place }
    classPlaces[name] = classes.count
    classes.append(name)
    return classes.count - 1
  }

  /// Adds a detection.
  ///
  /// - Throws: the text of the reason why its numbers are invalid, as a ``DetectionProblem``.
  mutating func add(
    _ key: String, class name: String, confidence: Double, x: Double, y: Double, width: Double,
    height: Double
  ) throws(DetectionProblem) {
    guard [confidence, x, y, width, height].allSatisfy(\.isFinite) else {
      throw DetectionProblem("a number of the detection is not finite")
    }
    guard width >= 0, height >= 0 else {
      throw DetectionProblem("the box has a negative side: \(width) × \(height)")
    }
    guard items.count < Self.limit else {
      throw DetectionProblem("there are more than \(Self.limit) detections, the limit")
    }
    items.append(
      Item(
        image: image(key), class: number(ofClass: name), confidence: confidence,
        box: Box(x: x, y: y, width: width, height: height)))
  }
}

/// The reason why a detection cannot be read, one clause.
struct DetectionProblem: Error, Hashable {
  var text: String

  init(_ text: String) { self.text = text }
}
