import AssayCore
import AssayStore
import AssayWorkflows

/// The answers about the corrected ground truth.
extension BrowseService {
  /// The catalog with the imported or the corrected ground truth.
  func catalog(corrected isCorrected: Bool) throws -> Catalog {
    try asking { try browser.catalog(corrected: isCorrected) }
  }

  /// Reads what was added to the ledger since. The corrected ground truth is not shown without it; with the imported one,
  /// tags and fields stay as they were.
  func readNewEntries(isCorrected: Bool) throws {
    guard isCorrected else {
      try? tags.get().readNewEntries()
      return
    }
    switch tags {
    case .success(let service):
      do {
        try service.bringUpToDate()
      } catch {
        throw RequestRefusal.unsaved(
          code: "notReadable", "the corrections cannot be read at the moment: \(error)")
      }
    case .failure(let refusal):
      throw RequestRefusal.badRequest(
        code: "noCorrections", "the corrected ground truth cannot be shown: \(refusal.reason)")
    }
  }

  /// The number of corrected samples of a dataset, whether the ledger has entries, and the reason why the corrected
  /// ground truth cannot be shown.
  func corrections(in dataset: DatasetRecord) throws -> JSONValue {
    let problem: JSONValue
    switch tags {
    case .success: problem = .null
    case .failure(let refusal): problem = .string(refusal.reason)
    }
    return [
      "samples": JSONValue(try browser.catalog.correctedSampleCount(of: dataset)),
      "entries": .bool(try browser.catalog.truthSequence() ?? 0 > 0), "problem": problem,
    ]
  }

  /// The members `corrected` and `left_out` (the reason, or null) of samples that were corrected or excluded, by row id;
  /// none with the imported ground truth.
  func correctionFacts(
    of samples: [Int64], isCorrected: Bool
  ) throws -> [Int64: [JSONValue.Member]] {
    guard isCorrected else { return [:] }
    var facts: [Int64: [JSONValue.Member]] = [:]
    for record in try catalog(corrected: true).corrected(of: samples) {
      facts[record.sample] = [
        .init("corrected", .bool(record.corrections > 0)),
        .init("left_out", JSONValue(record.leftOut)),
      ]
    }
    return facts
  }

  /// The reason why the objects of a run have no results, with the next command; `nil` if they have some.
  func problem(withResultsOf run: RunRecord, _ reader: MarksReader) throws -> JSONValue? {
    try reader.problem(withResultsOf: run).map { problem in
      [
        "run": .string(run.name), "reason": .string(problem.reason),
        "command": .string(problem.command),
      ]
    }
  }
}
