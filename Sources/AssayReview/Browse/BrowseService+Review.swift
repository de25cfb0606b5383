import AssayCore
import AssayStore
import AssayWorkflows

extension BrowseService {
  /// Makes a queue of a search's samples for the editor, or finds the one that was made of the same search before.
  ///
  /// - Throws: `RequestRefusal` for a wrong search, and with the reason why there can be no such queue.
  func makeReview(_ body: JSONValue) throws -> JSONValue {
    guard let view = body["view"]?.text, let expression = body["where"]?.text else {
      throw RequestRefusal.badRequest(code: "badQueue", "a queue needs a view and an expression")
    }
    guard body["corrected"] != .bool(true) else {
      throw RequestRefusal.badRequest(
        code: "badQueue",
        "queues of a search of the corrected ground truth are made by assay review VIEW --where EXPRESSION --corrected"
      )
    }
    // The expression can ask for tags that people set meanwhile.
    try readNewEntries(isCorrected: false)
    let runs = (body["runs"]?.elements ?? []).compactMap(\.text)
    let isAll = expression.allSatisfy(\.isWhitespace)
    let request = ReviewRequest(
      ["view:" + view] + runs.map { "run:" + $0 }, expression: isAll ? nil : expression)
    do {
      let built = try asking { try ReviewBuilder(catalog: browser.catalog).review(request) }
      return ["name": .string(built.review.name)]
    } catch let error as ReviewError {
      throw RequestRefusal.badRequest(code: "badQueue", "\(error)")
    }
  }
}
