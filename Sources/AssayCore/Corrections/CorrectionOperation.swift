/// The effect of an entry, read from its kind, target and payload.
enum CorrectionOperation: Sendable {
  case label(String)
  /// Adds or removes one label of a set; the others stay.
  case addLabel(String)
  case removeLabel(String)
  /// Replaces all labels of a set.
  case labels(Set<String>)
  case category(CorrectionTarget, String)
  case region(category: String, MaskDelta)
  case object(CorrectionTarget, MaskDelta)
  case outline(CorrectionTarget, ObjectOutline, size: ImageSize?)
  /// Sets fields of an object; `null` removes one.
  case attributes(CorrectionTarget, [JSONValue.Member])
  case add(NewObject)
  case remove(CorrectionTarget)
  /// Regions of several classes at once.
  case regions([(category: String, delta: MaskDelta)])
  /// Replaces the regions of some classes, or of all if there is no list.
  case objects([NewObject], replacing: [String]?)
  /// Takes the version of a branch, named by the uuid of its last entry.
  case branch(entry: String)
  /// Adds the changes of a branch, named in the same way.
  case merge(entry: String)
  case leaveOut(String)
  case accept
  case unsure
  case skip
  case undo(String)
  case redo(String)
  /// Changes a tag or a custom field; no effect on the ground truth.
  case edit(SampleEdit)
  /// No effect on the ground truth: a note or an adoption.
  case nothing
}

/// The pixels to set and the pixels to clear, disjoint.
struct MaskDelta: Sendable {
  var size: ImageSize
  /// `nil` for none.
  var added: Mask?
  var removed: Mask?
  /// The minimum area of a new instance: added parts that touch no instance and have fewer pixels
  /// are combined into one new instance; 0 if each of them is an instance, as in entries without
  /// this member.
  var instanceArea = 0
}

/// An object defined by a payload.
struct NewObject: Sendable {
  enum Shape: Sendable {
    case mask(Mask)
    /// A box only, or polygons.
    case outline(ObjectOutline)
  }

  var category: String
  var shape: Shape
  var isCrowd: Bool
  /// Its attributes as a JSON object; `nil` for none.
  var attributes: String?
  /// The image's size, if the payload states it.
  var size: ImageSize?
}

extension CorrectionOperation {
  /// The reason why this version cannot read an entry.
  enum Failure: Error {
    /// A kind or a format from a later version.
    case unknown
    /// An invalid payload or target.
    case unreadable
  }

  /// The maximum number of objects that one entry can create.
  static let objectLimit = 100_000

  /// - Throws: ``Failure``.
  init(_ entry: LedgerEntry, payload: JSONValue) throws(Failure) {
    guard entry.format == 1 || (entry.isIndependent && payload["independent"]?.text != nil),
      let kind = CorrectionKind(rawValue: entry.kind)
    else {
      throw .unknown
    }
    guard case .object = payload, let target = CorrectionTarget(text: entry.target) else {
      throw .unreadable
    }
    switch kind {
    case .label:
      let category = try Self.category(payload)
      switch target {
      case .label: self = .label(category)
      case .annotation, .made: self = .category(target, category)
      case .sample, .region: throw .unreadable
      }
    case .mask: self = try Self.mask(target, payload)
    case .outline:
      guard target.isObject, let outline = try Self.outline(payload) else { throw .unreadable }
      self = .outline(target, outline, size: try Self.sizeIfStated(payload))
    case .attributes:
      guard target.isObject, let fields = payload["attributes"]?.members else { throw .unreadable }
      self = .attributes(target, fields)
    case .add:
      // Versions without sets of labels skip these two as unreadable: there is no size, and no
      // object.
      if target == .label {
        self = .addLabel(try Self.category(payload))
      } else {
        self = .add(try NewObject(payload, size: try Self.size(payload)))
      }
    case .remove:
      switch target {
      case .annotation, .made: self = .remove(target)
      case .label: self = .removeLabel(try Self.category(payload))
      case .sample, .region: throw .unreadable
      }
    case .take: self = try Self.take(target, payload)
    case .reject, .bad:
      let reason = payload["reason"]?.text ?? ""
      self = .leaveOut(reason.isEmpty ? (kind == .bad ? "bad image" : "rejected") : reason)
    case .accept: self = .accept
    case .unsure: self = .unsure
    case .skip: self = .skip
    case .undo, .redo:
      guard let entry = payload["entry"]?.text else { throw .unreadable }
      self = kind == .undo ? .undo(entry) : .redo(entry)
    case .note, .adopt: self = .nothing
    case .merge:
      guard target == .sample, let entry = payload["entry"]?.text else { throw .unreadable }
      self = .merge(entry: entry)
    case .tag, .untag, .field:
      guard target == .sample, let edit = SampleEdit(kind: kind, payload: payload) else {
        throw .unreadable
      }
      self = .edit(edit)
    }
  }

  private static func category(_ payload: JSONValue) throws(Failure) -> String {
    guard let category = payload["category"]?.text, !category.isEmpty else { throw .unreadable }
    return category
  }

  /// The image's size, `[height, width]`.
  fileprivate static func size(_ payload: JSONValue) throws(Failure) -> ImageSize {
    guard let sides = payload["size"]?.elements, sides.count == 2,
      case .integer(let height) = sides[0], case .integer(let width) = sides[1],
      let height = Int(exactly: height), let width = Int(exactly: width),
      let size = ImageSize.checked(width: width, height: height)
    else { throw .unreadable }
    return size
  }

  private static func sizeIfStated(_ payload: JSONValue) throws(Failure) -> ImageSize? {
    payload["size"] == nil ? nil : try size(payload)
  }

  fileprivate static func outline(_ payload: JSONValue) throws(Failure) -> ObjectOutline? {
    do {
      return try ObjectOutline(payload)
    } catch {
      throw .unreadable
    }
  }

  private static func mask(
    _ target: CorrectionTarget, _ payload: JSONValue
  ) throws(Failure) -> CorrectionOperation {
    let delta = try MaskDelta(payload, size: try size(payload))
    switch target {
    case .region(_, let category): return .region(category: category, delta)
    case .annotation, .made: return .object(target, delta)
    case .label, .sample: throw .unreadable
    }
  }

  private static func take(
    _ target: CorrectionTarget, _ payload: JSONValue
  ) throws(Failure) -> CorrectionOperation {
    switch target {
    case .label:
      guard let list = payload["categories"]?.elements else {
        return .label(try category(payload))
      }
      let names = list.compactMap(\.text)
      guard names.count == list.count, names.count <= objectLimit, !names.contains("") else {
        throw .unreadable
      }
      return .labels(Set(names))
    case .region, .annotation, .made: return try mask(target, payload)
    case .sample: break
    }
    if let entry = payload["entry"]?.text { return .branch(entry: entry) }
    let size = try size(payload)
    if let regions = payload["regions"]?.elements {
      guard regions.count <= objectLimit else { throw .unreadable }
      var deltas: [(category: String, delta: MaskDelta)] = []
      for region in regions {
        deltas.append((try category(region), try MaskDelta(region, size: size)))
      }
      return .regions(deltas)
    }
    guard let list = payload["objects"]?.elements, list.count <= objectLimit else {
      throw .unreadable
    }
    var objects: [NewObject] = []
    for object in list { objects.append(try NewObject(object, size: size)) }
    return .objects(
      objects, replacing: payload["categories"]?.elements?.compactMap(\.text))
  }
}

extension MaskDelta {
  /// Reads `added` and `removed`, COCO's strings, and `instanceArea`.
  fileprivate init(
    _ payload: JSONValue, size: ImageSize
  ) throws(CorrectionOperation.Failure) {
    self.size = size
    added = try Self.mask(payload["added"], size)
    removed = try Self.mask(payload["removed"], size)
    switch payload["instanceArea"] {
    case nil, .null?: break
    case .integer(let area)?:
      guard area >= 0, let area = Int(exactly: area) else { throw .unreadable }
      instanceArea = area
    default: throw .unreadable
    }
  }

  /// - Returns: `nil` also for a mask without pixels.
  fileprivate static func mask(
    _ value: JSONValue?, _ size: ImageSize
  ) throws(CorrectionOperation.Failure) -> Mask? {
    guard let value, value != .null else { return nil }
    guard let text = value.text, let mask = try? Mask(size: size, compressed: text.utf8) else {
      throw .unreadable
    }
    return mask.isEmpty ? nil : mask
  }
}

extension NewObject {
  /// Reads `category`, `crowd`, `attributes`, and `mask` or an ``ObjectOutline``.
  fileprivate init(
    _ payload: JSONValue, size: ImageSize
  ) throws(CorrectionOperation.Failure) {
    guard let category = payload["category"]?.text, !category.isEmpty else { throw .unreadable }
    self.category = category
    self.size = size
    isCrowd = payload["crowd"] == .bool(true)
    if let fields = payload["attributes"], fields != .null {
      guard let members = fields.members, members.count <= 1_000 else { throw .unreadable }
      if !members.isEmpty { attributes = fields.text() }
    }
    if let mask = try MaskDelta.mask(payload["mask"], size) {
      shape = .mask(mask)
      return
    }
    guard let outline = try CorrectionOperation.outline(payload) else { throw .unreadable }
    shape = .outline(outline)
  }
}
