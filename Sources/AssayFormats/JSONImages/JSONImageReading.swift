import AssayCore
import Glibc

/// The regions and issues of one image while its JSON is read.
struct JSONImageReading {
  /// The JSON file and the pointer of the element.
  let file: String
  let pointer: String
  /// The path of the image.
  let key: String
  /// The displayed size of the image; `nil` if its file does not exist.
  let imageSize: ImageSize?
  var result = LabeledImage()
  /// The line of the current annotation, if the source is a table.
  var line: Int?
  /// True if the pointers of the element's parts begin at the top of the file.
  var hasOwnPointers = false

  /// The size of the image: that of its file, else the stated one.
  var size: ImageSize? { imageSize ?? result.statedSize }

  init(file: String, pointer: String, key: String, imageSize: ImageSize?) {
    self.file = file
    self.pointer = pointer
    self.key = key
    self.imageSize = imageSize
  }

  /// A place in the element.
  func location(_ pointer: String = "") -> IssueLocation {
    if let line { return IssueLocation(file: file, line: line) }
    let whole = hasOwnPointers ? pointer : self.pointer + pointer
    return IssueLocation(file: file, pointer: whole.isEmpty ? nil : whole)
  }

  /// Reports a problem that a stated rule handles.
  mutating func warn(_ kind: IssueKind, _ pointer: String, _ text: String) {
    result.issues.append(
      Issue(kind, .warning, at: location(pointer), sampleKey: key, text))
  }

  /// Reports an annotation that is left out.
  mutating func drop(_ kind: IssueKind, _ pointer: String, _ text: String) {
    result.issues.append(
      Issue(kind, .error, at: location(pointer), sampleKey: key, text + "; left out"))
  }

  /// Leaves the image out.
  mutating func reject(_ kind: IssueKind, _ pointer: String, _ text: String) {
    drop(kind, pointer, text)
    result.isRejected = true
  }

  /// Takes a stated size; `nil` members are not stated.
  mutating func state(width: JSONValue?, height: JSONValue?, _ pointer: String, _ names: String) {
    if width == nil || width == .null, height == nil || height == .null { return }
    guard let width = width?.whole, let height = height?.whole,
      let size = ImageSize.checked(width: width, height: height)
    else {
      warn(.badField, pointer, "\(names) are not the size of an image; ignored")
      return
    }
    result.statedSize = size
  }

  /// The list of an element's annotations; `nil`, with an issue, if it is missing or no list: such
  /// an image must not count as one without objects.
  mutating func list(_ value: JSONValue?, _ name: String) -> [JSONValue]? {
    switch value {
    case nil:
      reject(.missingField, "", "'\(name)' is missing, so the objects of the image are unknown")
    case .array(let elements)?:
      return elements
    case let other?:
      reject(
        .badField, "/" + name,
        "'\(name)' is \(other.kindName), not a list, so the objects of the image are unknown")
    }
    return nil
  }

  /// Adds a region.
  mutating func add(
    _ label: String, _ shape: LabeledRegion.Shape, _ pointer: String, _ title: String,
    attributes: [JSONValue.Member] = [], id: SourceID? = nil, box: Box? = nil,
    isCrowd: Bool = false
  ) {
    var region = LabeledRegion(
      category: Category(name: label), shape: shape, box: box, at: location(pointer),
      title: "\(title) (\(label.prefix(40)))")
    region.attributes = attributes
    region.sourceID = id
    region.isCrowd = isCrowd
    result.regions.append(region)
  }

  /// Points `[[x, y], …]` as `x0, y0, …`; `nil` if the value is anything else. Numbers that are not
  /// finite stay, and are reported with the shape.
  static func points(_ value: JSONValue?) -> [Double]? {
    guard let elements = value?.elements else { return nil }
    var points: [Double] = []
    points.reserveCapacity(2 * elements.count)
    for element in elements {
      guard let pair = element.elements, pair.count == 2, let x = pair[0].double,
        let y = pair[1].double
      else { return nil }
      points.append(x)
      points.append(y)
    }
    return points
  }

  /// The number of corners of a circle or an ellipse.
  static let corners = 64

  /// The corners of an ellipse, as a polygon.
  ///
  /// - Parameter degrees: the rotation, clockwise on the screen.
  static func ellipse(
    x: Double, y: Double, radiusX: Double, radiusY: Double, degrees: Double = 0
  ) -> [Double] {
    let (sine, cosine) = (Angle.sine(degrees), Angle.cosine(degrees))
    return (0..<corners).flatMap { corner -> [Double] in
      let turn = 360 * Double(corner) / Double(corners)
      let (dx, dy) = (radiusX * Angle.cosine(turn), radiusY * Angle.sine(turn))
      return [x + dx * cosine - dy * sine, y + dx * sine + dy * cosine]
    }
  }
}

/// The sine and cosine of degrees, exact for multiples of 90.
enum Angle {
  static func sine(_ degrees: Double) -> Double { cosine(degrees - 90) }

  static func cosine(_ degrees: Double) -> Double {
    guard degrees.isFinite else { return .nan }
    let turn = abs(degrees.truncatingRemainder(dividingBy: 360))
    switch turn {
    case 0: return 1
    case 90, 270: return 0
    case 180: return -1
    default: return cos(turn * .pi / 180)
    }
  }
}
