import AssayCore
import AssayImaging
import AssayReports
import AssayStore

/// Images with the same bytes, or the same pixels in different files.
struct ExactDuplicateRule: CheckRule {
  static let kinds = [FindingKind.exactDuplicate]

  func run(_ view: CheckedView) throws -> RuleResult {
    let groups = view.duplicates
    return RuleResult(
      findings: zip(groups.exact, groups.hasDifferentFiles).map { group, differs in
        view.finding(
          .exactDuplicate, group, score: Double(group.count),
          "\(group.count) images with the same \(differs ? "pixels in different files" : "bytes")")
      })
  }
}

/// Images that show the same picture. A group with only identical images is no finding.
struct NearDuplicateRule: CheckRule {
  static let kinds = [FindingKind.nearDuplicate]

  func run(_ view: CheckedView) throws -> RuleResult {
    let groups = view.duplicates
    let identical = Set(groups.exact)
    var result = RuleResult()
    for (place, group) in groups.all.enumerated() where !identical.contains(group) {
      let similarity = groups.similarities[place]
      result.findings.append(
        view.finding(
          .nearDuplicate, group, score: Double(similarity),
          "\(group.count) images, correlation \(NumberText.fixed(Double(similarity)))"
            + (groups.hasMirrored[place] ? ", mirrored" : "")))
    }
    if groups.crowded > 0 {
      result.notes.append(
        "\(NumberText.count(groups.crowded)) \(groups.crowded == 1 ? "image" : "images") "
          + "\(groups.crowded == 1 ? "resembles" : "resemble") many others without being near duplicates of them; each was compared with the "
          + "\(DuplicateSearch.comparisonLimit) closest")
    }
    return result
  }
}

/// Duplicates in different splits.
struct LeakageRule: CheckRule {
  static let kinds = [FindingKind.leakage]

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    let names = view.splitNames
    guard names.count > 1 else {
      return RuleResult(
        notes: [
          "leakage and absentClass: the view has \(names.isEmpty ? "no split" : "only one split")"
        ])
    }
    let identical = Set(view.duplicates.exact)
    for group in view.duplicates.all {
      let counts = names.compactMap { name -> String? in
        let count = group.count { view.splits[$0] == name }
        return count > 0 ? "\(count) in \(name)" : nil
      }
      guard counts.count > 1 else { continue }
      let what = identical.contains(group) ? "the same image" : "nearly the same image"
      result.findings.append(
        view.finding(
          .leakage, group, score: Double(group.count),
          "\(what): \(counts.joined(separator: ", "))"))
    }
    return result
  }
}

/// The number of images of each split that have a duplicate in each split.
package struct LeakageMatrix: Hashable, Sendable {
  package var splits: [String]
  /// Rows and columns are splits; the diagonal has duplicates within a split.
  package var counts: [[Int]]
  /// The number of images of each split.
  package var totals: [Int]

  init(_ view: CheckedView) {
    let splits = view.splitNames
    var places: [String: Int] = [:]
    for (place, name) in splits.enumerated() { places[name] = place }
    var totals = splits.map { _ in 0 }
    var counts = splits.map { _ in splits.map { _ in 0 } }
    for split in view.splits { if let place = split.flatMap({ places[$0] }) { totals[place] += 1 } }
    for group in view.duplicates.all {
      var own = splits.map { _ in 0 }
      for place in group {
        if let split = view.splits[place].flatMap({ places[$0] }) { own[split] += 1 }
      }
      for row in splits.indices where own[row] > 0 {
        for column in splits.indices where own[column] > (row == column ? 1 : 0) {
          counts[row][column] += own[row]
        }
      }
    }
    self.splits = splits
    self.totals = totals
    self.counts = counts
  }

  /// True if an image is in two splits.
  package var leaks: Bool {
    counts.indices.contains { row in
      counts[row].indices.contains { $0 != row && counts[row][$0] > 0 }
    }
  }
}

/// Duplicates with different labels, and exact duplicates with different objects: other classes, or other numbers of
/// objects of a class. Near duplicates can be crops, which show fewer objects.
struct LabelConflictRule: CheckRule {
  static let kinds = [FindingKind.labelConflict]

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    let identical = Set(view.duplicates.exact)
    for group in view.duplicates.all {
      var counts: [(label: String, count: Int)] = []
      for place in group {
        guard let label = view.labelText(of: place) else { continue }
        if let known = counts.firstIndex(where: { $0.label == label }) {
          counts[known].count += 1
        } else {
          counts.append((label, 1))
        }
      }
      guard counts.count > 1 else { continue }
      let labels = counts.map { $0.count > 1 ? "\($0.label) (\($0.count))" : $0.label }
      let what = identical.contains(group) ? "the same image" : "nearly the same image"
      result.findings.append(
        view.finding(
          .labelConflict, group, score: Double(counts.count),
          "\(what) is labeled \(labels.joined(separator: ", "))"))
    }
    if try view.catalog.holdsObjects(in: view.selection.dataset) {
      let known = Set(result.findings.map(\.samples))
      for group in view.duplicates.exact {
        guard let finding = try objectConflict(group, view), !known.contains(finding.samples) else {
          continue
        }
        result.findings.append(finding)
      }
    }
    return result
  }

  /// The finding that identical images have different objects; `nil` if they have the same.
  private func objectConflict(_ group: [Int], _ view: CheckedView) throws -> FindingRecord? {
    var texts: [String] = []
    for counts in try view.catalog.regionCounts(of: group.map { view.samples[$0].id }) {
      let parts = counts.map { count in
        let name =
          view.classes.indices.contains(count.category) ? view.classes[count.category] : "?"
        let all = count.instances + count.crowds
        return all > 1 ? "\(all) × \(name)" : name
      }
      let text = parts.isEmpty ? "none" : parts.joined(separator: " and ")
      if !texts.contains(text) { texts.append(text) }
    }
    guard texts.count > 1 else { return nil }
    return view.finding(
      .labelConflict, group, score: Double(texts.count),
      "the same image has different objects: \(texts.joined(separator: "; "))")
  }
}
