import AssayCore

/// The kind of a label attribute in a manifest of SageMaker Ground Truth.
enum GroundTruthKind: Hashable, Sendable {
  case boxes
  /// The class of the image.
  case label
  /// A set of classes of the image.
  case labels
  case masks
  /// Any other kind, with its type as the manifest states it.
  case other(String)

  /// The kind by the attribute's metadata, else by its value.
  init(_ value: JSONValue, _ metadata: JSONValue) {
    if let type = metadata.member("type")?.text {
      switch type.split(separator: "/").last ?? "" {
      case "object-detection": self = .boxes
      case "image-classification": self = .label
      case "image-classification-multilabel": self = .labels
      case "semantic-segmentation": self = .masks
      default: self = .other(type)
      }
    } else if value.member("annotations")?.elements != nil {
      self = .boxes
    } else if value.elements != nil, metadata.member("class-map") != nil {
      self = .labels
    } else if metadata.member("internal-color-map") != nil {
      self = .masks
    } else if value.whole != nil || value.text != nil, metadata.member("class-name") != nil {
      self = .label
    } else {
      self = .other("no type")
    }
  }

  /// Its name in messages.
  var words: String {
    switch self {
    case .boxes: "boxes"
    case .label: "classes of images"
    case .labels: "sets of labels"
    case .masks: "masks of semantic segmentation"
    case .other(let type): "annotations of another kind (\(type.prefix(60)))"
    }
  }

  /// True if the format takes attributes of this kind.
  func isRead(by format: DatasetFormat) -> Bool {
    format == .groundTruthLabels ? self == .labels : self == .boxes || self == .label
  }
}

/// One line of a manifest.
struct GroundTruthLine: Sendable {
  /// A label attribute and its metadata.
  struct Attribute: Sendable {
    var name: String
    /// Null for an attribute with metadata alone, as of a failed job.
    var value: JSONValue
    var metadata: JSONValue
    var kind: GroundTruthKind
  }

  /// The address of the image.
  let source: String
  let attributes: [Attribute]
  /// The names of members that are neither the image nor of an attribute.
  let others: [String]

  private static let suffix = "-metadata"

  /// - Returns: `nil` if the value is no object with an image.
  init?(_ value: JSONValue) {
    guard let members = value.members, let source = value.member("source-ref")?.text,
      !source.isEmpty
    else { return nil }
    self.source = source
    var attributes: [Attribute] = []
    var known: Set<String> = ["source-ref"]
    for member in members where member.name.hasSuffix(Self.suffix) && member.value.members != nil {
      let name = String(member.name.dropLast(Self.suffix.count))
      known.formUnion([name, member.name])
      let stated = value.member(name) ?? .null
      attributes.append(
        Attribute(
          name: name, value: stated, metadata: member.value,
          kind: GroundTruthKind(stated, member.value)))
    }
    self.attributes = attributes
    others = members.map(\.name).filter { !known.contains($0) }
  }

  /// Parses a line.
  ///
  /// - Throws: `JSONError`.
  static func value(_ bytes: some Sequence<UInt8>) throws(JSONError) -> JSONValue {
    var reading = JSONReading()
    reading.takesNotFinite = true
    return try JSONValue(parsing: Array(bytes), reading)
  }
}
