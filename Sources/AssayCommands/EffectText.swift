import AssayCore
import AssayWorkflows

/// The effect of corrections on a run's numbers, as the results of every task print it.
struct EffectText {
  private let effect: CorrectionEffect

  init?(_ effect: CorrectionEffect?) {
    guard let effect else { return nil }
    self.effect = effect
  }

  /// A sentence, then the contributions of the parts.
  func text(in terminal: Terminal) -> String {
    ([effect.sentence] + effect.details).map { Paragraph.text($0, in: terminal) }
      .joined(separator: "\n")
  }
}

extension JSONValue {
  /// An object with the member `effect` after the others.
  func adding(_ effect: CorrectionEffect?) -> JSONValue {
    guard let effect, case .object(let members) = self else { return self }
    return .object(members + [.init("effect", effect.json)])
  }
}
