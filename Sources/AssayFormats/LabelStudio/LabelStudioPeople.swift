import AssayCore
import Synchronization

/// The people who made the annotations of a Label Studio export. Thread-safe.
final class LabelStudioPeople: Sendable {
  private let known = Mutex<Set<[String]>>([])
  private static let limit = 1_000

  /// The names by which a person can be given: the id, and the email if there is one.
  static func names(of value: JSONValue?) -> [String] {
    guard let value, value != .null else { return [] }
    guard value.members != nil else { return [value.text ?? value.text()] }
    return ["id", "email", "username"].compactMap { value.member($0) }.filter { $0 != .null }
      .map { $0.text ?? $0.text() }
  }

  func add(_ value: JSONValue?) {
    let names = Self.names(of: value)
    known.withLock { known in
      if !names.isEmpty, known.count < Self.limit { known.insert(names) }
    }
  }

  /// Refuses a name that none of them has.
  ///
  /// - Throws: ``FormatError/unknownAnnotator(_:known:)``.
  func check(_ annotator: String?) throws {
    guard let annotator else { return }
    let known = known.withLock { $0 }
    guard !known.contains(where: { $0.contains(annotator) }) else { return }
    let order = ClassOrder.sorted(known.map { $0[0] })
    let lists = Array(known)
    throw FormatError.unknownAnnotator(
      annotator,
      known: order.map { place in
        let names = lists[place]
        return names[0] + (names.count > 1 ? " (\(names.dropFirst().joined(separator: ", ")))" : "")
      })
  }
}
