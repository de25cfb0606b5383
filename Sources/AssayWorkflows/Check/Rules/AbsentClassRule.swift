import AssayCore
import AssayReports
import AssayStore

/// Splits without samples of a class that another split has; splits without any label are left out.
struct AbsentClassRule: CheckRule {
  static let kinds = [FindingKind.absentClass]
  /// The maximum number of class names in a message.
  private static let named = 20

  func run(_ view: CheckedView) throws -> RuleResult {
    let names = view.splitNames
    guard names.count > 1 else { return RuleResult() }
    var places: [String: Int] = [:]
    for (place, name) in names.enumerated() { places[name] = place }
    var counts = names.map { _ in view.classes.map { _ in 0 } }
    for (place, classes) in try classesOfSamples(view).enumerated() {
      guard let split = view.splits[place].flatMap({ places[$0] }) else { continue }
      for category in classes where counts[split].indices.contains(category) {
        counts[split][category] += 1
      }
    }
    let present = view.classes.indices.map { category in counts.contains { $0[category] > 0 } }
    var result = RuleResult()
    for (split, name) in names.enumerated() where counts[split].contains(where: { $0 > 0 }) {
      let absent = view.classes.indices.filter { present[$0] && counts[split][$0] == 0 }
      guard !absent.isEmpty else { continue }
      let list = absent.prefix(Self.named).map { view.classes[$0] }.joined(separator: ", ")
      let more = absent.count - Self.named
      result.findings.append(
        view.finding(
          .absentClass, [], score: Double(absent.count),
          "\(name) has no sample of \(absent.count == 1 ? "the class" : "\(absent.count) classes:") "
            + list + (more > 0 ? " and \(more) more" : "")))
    }
    return result
  }

  private func classesOfSamples(_ view: CheckedView) throws -> [[Int]] {
    var classes = view.samples.indices.map { view.labels(of: $0) }
    guard try view.catalog.holdsObjects(in: view.selection.dataset) else { return classes }
    let regions = try view.catalog.regionCounts(of: view.samples.map(\.id))
    for (place, counts) in regions.enumerated() { classes[place] += counts.map(\.category) }
    return classes
  }
}
