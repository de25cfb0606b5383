import AssayCore
import Synchronization

/// The rules by which frames are captured without a key.
package struct CaptureRules: Sendable {
  /// Captures frames whose best score is below this; of a pipeline that classifies its objects, frames with an object
  /// whose label has a lower score. `nil` for none.
  package var below: Double?
  /// True to capture frames that the decision does not accept.
  package var isForDoubt = false
  /// Captures frames with one of these classes, or with an object that a pipeline's classifier gives one of them.
  package var classes: [String] = []
  /// The least number of seconds between two frames that the rules capture.
  package var interval = 1.0

  package init() {}

  /// True if there is a rule. A second model is one, too.
  package var isEmpty: Bool { below == nil && classes.isEmpty && !isForDoubt }

  /// The reason to capture a frame; `nil` for none.
  ///
  /// - Parameters:
  ///   - doubt: the reason why a decision does not accept the frame; `nil` if it does, or without one.
  ///   - second: the answer of the second model; `nil` without one.
  package func reason(
    _ answer: LiveAnswer, of recognizer: LiveRecognizer, doubt: String? = nil,
    second: (answer: LiveAnswer, recognizer: LiveRecognizer)?
  ) -> String? {
    let found = answer.classes(of: recognizer.task)
    let names = Set(found.map { recognizer.classes[$0] })
    let labels = recognizer.labels(of: answer)
    if let name = classes.first(where: { name in
      names.contains(name) || labels.contains { $0.name == name }
    }) {
      return "class \(name)"
    }
    if let below {
      // Of a pipeline that classifies its objects, the label that is least sure.
      let score =
        labels.compactMap(\.score).min()
        ?? (recognizer.task.output == .objects
          ? answer.objects.map(\.confidence).max() : answer.best?.score)
      if let score, score < below { return "score \(Self.text(score)) < \(Self.text(below))" }
    }
    if isForDoubt, let doubt { return doubt }
    if let second {
      let others = Set(
        second.answer.classes(of: second.recognizer.task).map { second.recognizer.classes[$0] })
      if others != names {
        return
          "\(recognizer.name): \(Self.list(names)); \(second.recognizer.name): \(Self.list(others))"
      }
    }
    return nil
  }

  private static func list(_ names: Set<String>) -> String {
    names.isEmpty ? "nothing" : names.sorted().joined(separator: ", ")
  }

  private static func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
