import AssayCore
import AssayWorkflows
import Foundation

/// A save as the page sends it, parsed and checked as far as possible without the sample.
struct SaveRequest: Hashable, Sendable {
  /// The maximum number of values in a body: two for each point of polygons, and few others.
  static let valueLimit = 3 * ObjectOutline.pointLimit + JSONBody.valueLimit
  /// The maximum size in bytes of a body with a mask or with polygons, and of any other body.
  static let maskLimit = 8 << 20
  static let plainLimit = 1 << 20
  /// The maximum length of a note or reason, and of a name, in characters.
  static let longestText = 10_000
  static let longestName = 1_000

  /// The kind of change, in the page's spelling.
  enum Kind: String, CaseIterable, Sendable {
    case label
    case mask
    /// The box or the polygons of an object.
    case outline
    /// Fields of an object.
    case attributes
    case add
    case remove
    case category
    case accept
    case take
    case reject
    case unsure
    case bad
    case skip
    case note
    case undo
    case redo
    /// Selects one of two conflicting versions, or the changes of both.
    case keep
    /// Takes one of the independent versions of a sample.
    case agree

    /// True if it can include a mask.
    var hasMask: Bool { self == .mask || self == .add }

    /// True if the page cannot know the resulting ground truth without the server's state.
    var needsState: Bool {
      switch self {
      case .undo, .redo, .take, .keep, .agree, .add, .remove: true
      case .label, .mask, .outline, .attributes, .category, .accept, .reject, .unsure, .bad, .skip,
        .note:
        false
      }
    }
  }

  var uuid: String
  var visit: String
  /// The uuid of the ledger that the save is for.
  var ledger: String
  var author: String
  var parent: CorrectionDraft.Parent
  var kind: Kind
  var target: CorrectionTarget?
  var category: String?
  /// The whole region or object afterwards.
  var mask: Mask?
  /// The box or the polygons of the object afterwards.
  var outline: ObjectOutline?
  /// The fields to set, or those of a new object.
  var attributes: [JSONValue.Member]?
  /// True if the page confirms that an empty mask is intended.
  var isEmpty = false
  var run: String?
  var reason: String?
  var note: String?
  /// The uuid of an entry to undo or redo.
  var entry: String?
  /// The uuid of a conflicting entry, and the version that is kept.
  var conflict: String?
  var kept: ConflictChoice?
  /// For a mask from a model: parts below this many pixels that touch no object become
  /// one new object together.
  var instanceArea: Int?
  /// For a take: the smallest part of a mask that is kept, as a share of its pixels.
  var smallestShare: Double?
  /// True if the page confirms that masks can be lost.
  var isConfirmed = false
  var seconds: Double?
  var isDone = false
}

extension SaveRequest {
  /// - Parameters:
  ///   - body: the JSON object in the body.
  ///   - size: the number of bytes of the body.
  ///   - match: the `If-Match` header.
  /// - Throws: ``RequestRefusal``.
  init(body: JSONValue, size: Int, match: String?) throws(RequestRefusal) {
    guard let match else { throw .noParent }
    let fields = SaveFields(body)
    let kind = try fields.kind()
    let isLabel = try fields.target() == .label
    let outline = isLabel ? nil : try fields.outline()
    let hasMask = kind.hasMask && !isLabel && (outline == nil || kind == .mask)
    let isLarge = hasMask || ([.add, .outline].contains(kind) && outline?.shape == .polygon)
    if !isLarge, size > Self.plainLimit { throw .tooLarge(limit: Self.plainLimit) }
    self.init(
      uuid: try fields.uuid("uuid"), visit: try fields.uuid("visit"),
      ledger: try fields.name("ledger", isNeeded: true) ?? "",
      author: try fields.name("author", isNeeded: true) ?? "",
      parent: try Self.parent(match), kind: kind)
    target = try fields.target()
    category = try fields.name(
      "category",
      isNeeded: [.category, .add, .label].contains(kind) || (kind == .remove && isLabel))
    if kind == .mask, target == nil, category == nil {
      throw fields.wrong("category", "a mask needs a category or a target")
    }
    if [.remove, .category, .outline, .attributes].contains(kind), target == nil {
      throw fields.wrong("target", "\(kind.rawValue) needs an object as target")
    }
    if [.add, .outline].contains(kind) { self.outline = outline }
    if kind == .outline, outline == nil {
      throw fields.wrong("box", "outline needs box ([x, y, width, height]) or polygons")
    }
    if kind == .attributes || (kind == .add && body["attributes"] != nil) {
      attributes = try fields.members("attributes")
    }
    isEmpty = try fields.flag("empty")
    if hasMask { mask = try fields.mask() }
    instanceArea = try fields.count("instance_area")
    run = try fields.name("run", isNeeded: kind == .take)
    smallestShare = try fields.share("smallest_share")
    isConfirmed = try fields.flag("confirmed")
    reason = try fields.text("reason")
    if kind == .reject, reason?.isEmpty != false {
      throw fields.wrong("reason", "excluding a sample needs a reason")
    }
    note = try fields.text("note")
    if kind == .note, note == nil { throw fields.wrong("note", "a note needs text") }
    entry = try fields.uuid("entry", isNeeded: kind == .agree)
    conflict = try fields.uuid("conflict", isNeeded: kind == .keep)
    kept = try fields.version(isNeeded: kind == .keep)
    seconds = try fields.seconds()
    isDone = try fields.flag("done")
  }

  /// Parses `If-Match`: `"37"` in quotes is a sequence, a uuid with or without quotes an
  /// entry, `none` the import.
  static func parent(_ match: String) throws(RequestRefusal) -> CorrectionDraft.Parent {
    var text = match[...]
    if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      text = text.dropFirst().dropLast()
    }
    if text == "none" { return .sequence(0) }
    if let sequence = Int64(text), sequence > 0, String(sequence) == text {
      return .sequence(sequence)
    }
    guard let uuid = UUID(uuidString: String(text)) else {
      throw .badRequest(
        code: "badParent",
        "If-Match must be a sequence in quotes, \"none\", or the uuid of the previous entry")
    }
    return .entry(uuid.uuidString.lowercased())
  }
}
