package import AssayCore

/// The names of a sample's objects on the command line: `1234` is an id in the source, `#2` an
/// index among the objects without an id, `@37` the object created by entry 37; `1234#1` and
/// `@37#1` are the second of several.
package enum ObjectName {
  /// - Parameter history: the sample's history; its sequences name the objects that users created.
  package static func text(_ target: CorrectionTarget, in history: [HistoryItem]) -> String {
    switch target {
    case .label, .sample, .region: return target.text
    case .annotation(_, let id?, let occurrence):
      return "\(id)" + (occurrence == 0 ? "" : "#\(occurrence)")
    case .annotation(_, nil, let occurrence): return "#\(occurrence)"
    case .made(let entry, let occurrence):
      let sequence = history.first { $0.entry.uuid == entry }?.entry.sequence
      return "@" + (sequence.map(String.init) ?? entry) + (occurrence == 0 ? "" : "#\(occurrence)")
    }
  }

  /// The target of the object with this name; `nil` if the ground truth has none.
  package static func target(_ name: String, in truth: EffectiveTruth) -> CorrectionTarget? {
    truth.objects.map(\.target).first { text($0, in: truth.history) == name }
  }
}
