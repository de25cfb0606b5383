import AssayCore
import AssayMetrics

/// Notes on missing, shifted or simultaneous intervals, and the same data for JSON.
enum IntervalNotes {
  /// Returns the reasons why scores have no interval, one sentence each; empty if all have one. Too
  /// few samples are not included, because ``Evaluation/intervalNotes(samples:_:)`` reports them.
  ///
  /// - Parameters:
  ///   - kinds: the scores by key; for scores per class, a list.
  ///   - classes: the names of the classes by ordinal.
  static func missing(
    _ kinds: [(kind: MetricKind, missing: [MissingInterval?])], classes: [String]
  ) -> [String] {
    var reasons: [String] = []
    var keys: [String: [String]] = [:]
    func add(_ reason: String, _ key: String) {
      if keys[reason] == nil { reasons.append(reason) }
      keys[reason, default: []].append(key)
    }
    for (kind, missing) in kinds {
      let known = missing.compactMap(\.self).filter {
        if case .samples = $0 { false } else { true }
      }
      guard let first = known.first else { continue }
      if kind.isPerCategory {
        let rare = known.count { if case .positives = $0 { true } else { false } }
        let (of, needed) = ("of \(missing.count) classes", ClassSupport.leastOfClass)
        if rare > 0 {
          add(
            "\(rare) \(of) \(rare == 1 ? "has" : "have") fewer than \(needed) positives or "
              + "negatives", kind.rawValue)
        }
        if known.count > rare {
          add(
            "in \(known.count - rare) \(of) the value is 0 or 1, or does not change when any "
              + "single sample is left out", kind.rawValue)
        }
      } else {
        add(first.reason(classes: classes), kind.rawValue)
      }
    }
    return reasons.map { "no CI for \((keys[$0] ?? []).joined(separator: ", ")): \($0)" }
  }

  /// The note that intervals are shifted; empty if there are none.
  static func shifted(_ intervals: [Interval?]) -> [String] {
    guard intervals.contains(where: { $0?.method == .shiftedBootstrap }) else { return [] }
    return [
      "the 95 % CIs of AP are shifted: bootstrap percentiles moved by 3 × (mean of draws − "
        + "score), because AP is biased upward when there are few objects"
    ]
  }

  /// The note that per-class intervals are simultaneous; empty if no class shares its level with
  /// others.
  static func simultaneous(_ differences: [Difference]) -> [String] {
    guard let classes = differences.map(\.simultaneous).max(), classes > 1 else { return [] }
    return [
      "the CIs of the \(classes) classes are simultaneous: in 95 % of comparisons all of them "
        + "contain the true value (Bonferroni)"
    ]
  }

  /// The reasons under each key, as a list for per-class scores, for `interval_reasons` in JSON.
  static func json(
    _ kinds: [(kind: MetricKind, missing: [MissingInterval?])], classes: [String]
  ) -> JSONValue {
    .object(
      kinds.compactMap { kind, missing in
        guard missing.contains(where: { $0 != nil }) else { return nil }
        let reasons = missing.map { JSONValue($0?.reason(classes: classes)) }
        return .init(kind.rawValue, kind.isPerCategory ? .array(reasons) : reasons[0])
      })
  }
}

extension ClassificationScores {
  /// The reasons why scores have no interval, by key.
  var missingIntervals: [(kind: MetricKind, missing: [MissingInterval?])] {
    MetricKind.kinds(of: .classification).map { kind in
      (kind, (kind.isPerCategory ? perClass(kind) : [self[kind]]).map(\.missing))
    }
  }
}

extension DetectionScores {
  /// The reasons why scores have no interval, by key; empty if no intervals were requested.
  var missingIntervals: [(kind: MetricKind, missing: [MissingInterval?])] {
    guard makesIntervals else { return [] }
    return (kinds + Self.decisionKinds).map { ($0, [self[$0].missing]) }
      + Self.classKinds.map { ($0, perClass($0).map(\.missing)) }
  }

  /// Returns the notes on missing and shifted intervals.
  func intervalNotes(classes: [String]) -> [String] {
    IntervalNotes.missing(missingIntervals, classes: classes)
      + IntervalNotes.shifted(
        kinds.map { self[$0].interval }
          + Self.classKinds.flatMap { perClass($0).map(\.interval) })
  }
}
