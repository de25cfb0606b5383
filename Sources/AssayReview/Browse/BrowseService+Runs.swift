import AssayCore
import AssayStore
import AssayWorkflows

/// The answers about runs: their numbers, and the searches for the samples behind them.
extension BrowseService {
  /// The numbers of a run.
  func run(_ name: String) throws -> JSONValue { try inspecting { try inspector.run(name) } }

  /// The counts of a detector at an IoU and a minimum score; the evaluation's own if `nil`.
  func point(of name: String, iou: Double?, score: Double?) throws -> JSONValue {
    try inspecting { try inspector.point(of: name, iou: iou, score: score) }
  }

  /// The search for some of a run's samples.
  func samples(of name: String, _ filter: RunFilter) throws -> JSONValue {
    try readNewEntries(isCorrected: false)
    return try inspecting { try inspector.samples(of: name, filter) }
  }

  /// The differences between two runs.
  func comparison(of first: String, _ second: String) throws -> JSONValue {
    try inspecting { try inspector.comparison(of: first, second) }
  }

  /// Runs a request about runs; unknown names and comparisons that are not possible are the client's errors.
  private func inspecting(_ body: () throws -> JSONValue) throws -> JSONValue {
    do {
      return try body()
    } catch let error as StoreError {
      throw RequestRefusal.badRequest(code: "badRun", "\(error)")
    } catch let error as InspectionError {
      throw RequestRefusal.badRequest(code: "badQuery", "\(error)")
    } catch let error as EvaluationError {
      throw RequestRefusal.badRequest(code: "badRun", "\(error)")
    }
  }
}
