/// The work that shards divide, by the command that computes one.
package enum PartWork: String, CaseIterable, Sendable {
  case prediction = "predict"
  case check
  case statistics = "stats"
  case scan

  /// The words for all parts together.
  package var whole: String {
    switch self {
    case .prediction: "run"
    case .check: "check"
    case .statistics: "set of statistics"
    case .scan: "scan"
    }
  }
}

extension PartIdentity {
  /// The name of the property with the work of parts that are not those of a run.
  package static let workFact = "work"

  /// The work; `nil` if it is unknown to this version of assay.
  package var work: PartWork? {
    guard let fact = fact(Self.workFact) else { return .prediction }
    return fact.text.flatMap(PartWork.init(rawValue:))
  }
}
