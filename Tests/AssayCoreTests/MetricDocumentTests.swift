import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// The tables of all metrics in `Docs/Metrics.md`, which are generated from the metric facts.
@Suite struct MetricDocumentTests {
  private static let path = PackageFolder.url("Docs/Metrics.md")
  private static let heading = "\n## All metrics\n"

  @Test("Docs/Metrics.md has the facts about every metric; ASSAY_REWRITE_GOLDENS=1 writes them")
  func tables() throws {
    let text = try String(contentsOf: Self.path, encoding: .utf8)
    let start = try #require(text.range(of: Self.heading)).upperBound
    let end = try #require(text.range(of: "\n## ", range: start..<text.endIndex)).lowerBound
    let made = "\n" + ModelTask.allCases.map(Self.table).joined(separator: "\n")
    if ProcessInfo.processInfo.environment["ASSAY_REWRITE_GOLDENS"] != nil {
      try Data(text.replacingCharacters(in: start..<end, with: made).utf8).write(to: Self.path)
    } else {
      #expect(text[start..<end] == made)
    }
  }

  private static func table(of task: ModelTask) -> String {
    let rows = MetricKind.kinds(of: task).map { kind in
      let facts = kind.facts
      let better =
        switch facts.direction {
        case .higherIsBetter: "↑"
        case .lowerIsBetter: "↓"
        case .neither: ""
        }
      let key = facts.scope == .perClass ? "`\(kind.rawValue)(class)`" : "`\(kind.rawValue)`"
      let definition = facts.use(in: task)?.definition.replacing("|", with: "\\|") ?? ""
      return "| \(key) | \(facts.title) | \(range(facts.range)) | \(better) | \(definition) |\n"
    }
    let name = task.output == .labels ? "Multi-label classification" : task.rawValue.capitalized
    return "### \(name) metrics\n\n"
      + "| key | title | range | better | definition |\n|---|---|---|---|---|\n" + rows.joined()
  }

  private static func range(_ range: ClosedRange<Double>) -> String {
    func number(_ value: Double) -> String {
      value == .infinity ? "∞" : Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }
    return "\(number(range.lowerBound))…\(number(range.upperBound))"
      .replacing("-", with: "−")
  }
}
