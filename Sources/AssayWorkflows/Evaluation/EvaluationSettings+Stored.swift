import AssayCore
import AssayStore

extension EvaluationSettings {
  /// The settings that an evaluation was stored with. A member that is not there keeps its default: earlier
  /// versions wrote fewer.
  ///
  /// - Throws: ``EvaluationError/damagedSettings(run:name:problem:)`` for a text that is no JSON object, and
  ///   for a member that has another type or range than ``json(of:)`` writes.
  init(storedIn evaluation: EvaluationRecord) throws(EvaluationError) {
    func damaged(_ problem: String) -> EvaluationError {
      .damagedSettings(run: evaluation.run.name, name: evaluation.name, problem: problem)
    }
    guard let stored = try? JSONValue(parsing: evaluation.settings), case .object = stored else {
      throw damaged("they are not a JSON object")
    }
    self.init(json: stored)
    // What is not understood is not written again as it stands there.
    guard let written = try? JSONValue(parsing: json(of: evaluation.run.task).text()),
      case .object(let members) = written
    else { throw damaged("they cannot be written again") }
    for member in members where member.name != Self.draws {
      guard let value = stored[member.name] else { continue }
      guard Self.isSame(value, member.value) else {
        throw damaged("“\(member.name)” is \(value.text(indented: false))")
      }
    }
    let shares: [(name: String, value: Double?)] = [
      ("accept", accept), ("margin", margin), ("threshold", masks.threshold),
      ("iou", objects.workingIoU), ("score", objects.workingScore),
    ]
    for share in shares {
      if let value = share.value, !(0...1).contains(value) {
        throw damaged("“\(share.name)” is \(value), outside of 0…1")
      }
    }
  }

  /// Returns whether the values are equal; `1` equals `1.0`.
  private static func isSame(_ stored: JSONValue, _ written: JSONValue) -> Bool {
    if stored == written { return true }
    let numbers = (stored.double, written.double)
    return numbers.0 != nil && numbers.0 == numbers.1
  }
}
