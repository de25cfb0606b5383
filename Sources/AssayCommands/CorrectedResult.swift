import AssayCore
import AssayWorkflows

/// A result with information about corrections: the member `corrections` in JSON, a remark in the
/// text.
struct CorrectedResult: CommandResult {
  private let result: any CommandResult
  private let use: CorrectionStatus

  /// - Parameter use: of the dataset that the result is about.
  init(_ result: any CommandResult, _ use: CorrectionStatus) {
    self.result = result
    self.use = use
  }

  var json: JSONValue {
    guard case .object(let members) = result.json else { return result.json }
    return .object(members + use.members)
  }

  func text(in terminal: Terminal) -> String { result.text(in: terminal) }

  var remarks: [String] { result.remarks + use.remarks }
}
