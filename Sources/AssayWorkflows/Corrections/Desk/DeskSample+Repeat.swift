import AssayCore
import AssayStore

/// Whether a save whose uuid the ledger has is the one that is there, sent again.
extension SampleState {
  /// What was meant is compared, not what was written: the time differs, and a save that named no parent may
  /// find another one now.
  ///
  /// - Parameter known: the entry of the uuid, of this sample.
  mutating func isRepeat(_ save: CorrectionSave, of known: LedgerEntry) -> Bool {
    let payload = (try? JSONValue(parsing: known.payload)) ?? .null
    let remarks = CorrectionMetadata(payload)
    guard known.visit == save.visit, remarks.author == save.author, remarks.note == save.note,
      remarks.isDone == save.done
    else { return false }
    return isSame(save.change, as: known, payload, CorrectionTarget(text: known.target))
  }

  private mutating func isSame(
    _ change: CorrectionSave.Change, as known: LedgerEntry, _ payload: JSONValue,
    _ target: CorrectionTarget?
  ) -> Bool {
    let category = payload["category"]?.text
    switch (change, CorrectionKind(rawValue: known.kind)) {
    case (.label(let name), .label): return target == .label && category == name
    case (.addLabel(let name), .add), (.removeLabel(let name), .remove):
      return target == .label && category == name
    case (.region(let name, let after, _, let parts), .mask):
      guard case .region(_, name)? = target else { return false }
      if case .from(let area) = parts, max(area, 0) != Self.count(payload["instanceArea"]) {
        return false
      }
      return isSame(after, as: known, payload) { replay, sequence in
        replay.region(of: name, after: sequence)
      }
    case (.object(let object, let after, _), .mask):
      guard target == object else { return false }
      return isSame(after, as: known, payload) { replay, sequence in
        replay.pixels(of: object, after: sequence)
      }
    case (.add(let name, let mask), .add):
      return category == name && payload["mask"] == LedgerEntryContent.counts(mask)
    case (.remove(let object), .remove): return target == object
    case (.category(let object, let name), .label): return target == object && category == name
    case (.accept, .accept), (.unsure, .unsure), (.skip, .skip): return true
    case (.take(let run, let name, let score, let share, _), .take):
      let own = payload["run"]?.text
      guard own == run || own == run.split(separator: "@").first.map(String.init),
        share == payload["smallestShare"]?.double, score == nil || score == payload["score"]?.double
      else { return false }
      return name.map { Self.isTake(of: $0, payload) } ?? true
    case (.reject(let reason), .reject): return payload["reason"]?.text == reason
    case (.bad(let reason), .bad): return payload["reason"]?.text == reason
    case (.note, .note): return payload["keep"] == nil
    case (.undo(let entry), .undo), (.redo(let entry), .redo):
      return entry == nil || payload["entry"]?.text == entry
    case (.keep(let conflict, let choice), .take), (.keep(let conflict, let choice), .note):
      return payload["keep"]?.text == choice.rawValue
        && payload["resolves"]?.elements?.contains(.string(conflict)) == true
    default: return false
    }
  }

  /// Whether an entry took over one class alone, as far as it says which.
  private static func isTake(of name: String, _ payload: JSONValue) -> Bool {
    if let category = (payload["class"] ?? payload["category"])?.text { return category == name }
    if let categories = payload["categories"] { return categories == [.string(name)] }
    return true
  }

  /// A member's whole number; 0 where there is none.
  private static func count(_ member: JSONValue?) -> Int {
    if case .integer(let value)? = member { Int(value) } else { 0 }
  }

  /// Whether a mask is what an entry left, or makes the same change of what the entry was made on.
  private mutating func isSame(
    _ after: Mask, as known: LedgerEntry, _ payload: JSONValue,
    _ pixels: (inout CorrectionReplay, Int64?) -> Mask?
  ) -> Bool {
    if pixels(&replay, known.sequence) == after { return true }
    let before = pixels(&replay, known.parent) ?? Mask(emptyOf: after.size)
    guard before.size == after.size else { return false }
    let delta = LedgerEntryContent.delta(from: before, to: after)
    return ["added", "removed", "area", "empty"].allSatisfy { name in
      delta.first { $0.name == name }?.value == payload[name]
    }
  }
}
