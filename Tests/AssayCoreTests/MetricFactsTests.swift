import AssayCore
import Testing

@Suite("Facts about every metric")
struct MetricFactsTests {
  @Test("A title is written for people, not the key", arguments: MetricKind.allCases)
  func titles(_ kind: MetricKind) {
    let title = kind.facts.title
    #expect(!title.isEmpty && !title.contains("_"))
    #expect(!kind.rawValue.contains("_") || title != kind.rawValue)
  }

  @Test("A definition is a sentence that ends with a period", arguments: MetricKind.allCases)
  func definitions(_ kind: MetricKind) {
    for use in kind.facts.uses {
      #expect(use.definition.hasSuffix(".") && !use.definition.hasSuffix(".."))
      #expect(use.definition.count > 20, "\(use.definition)")
      #expect(!use.definition.contains(kind.rawValue) || !kind.rawValue.contains("_"))
    }
  }

  @Test("It belongs to a task, and has one entry per task", arguments: MetricKind.allCases)
  func tasks(_ kind: MetricKind) {
    let facts = kind.facts
    #expect(!facts.tasks.isEmpty)
    #expect(Set(facts.tasks).count == facts.tasks.count)
    for task in ModelTask.allCases {
      #expect(MetricKind.kinds(of: task).contains(kind) == facts.tasks.contains(task))
    }
  }

  @Test("Masks of one class or of several have it, if any do", arguments: MetricKind.allCases)
  func masks(_ kind: MetricKind) {
    guard let use = kind.facts.use(in: .segmentation) else { return }
    #expect(use.shown(hasSeveral: false) != nil || use.shown(hasSeveral: true) != nil)
  }

  @Test("The range holds more than one value", arguments: MetricKind.allCases)
  func ranges(_ kind: MetricKind) {
    let range = kind.facts.range
    #expect(range.lowerBound.isFinite && range.lowerBound < range.upperBound)
  }

  @Test("The reason for an undefined value is a clause", arguments: MetricKind.allCases)
  func undefined(_ kind: MetricKind) {
    for reason in kind.facts.uses.compactMap(\.undefined) {
      #expect(!reason.hasSuffix(".") && reason.first?.isLowercase == true, "\(reason)")
    }
  }

  @Test("An earlier spelling is no present one and leads to the metric")
  func formerKeys() {
    for kind in MetricKind.allCases {
      #expect(MetricKind(key: kind.rawValue) == kind)
      guard let former = kind.facts.formerKey else { continue }
      #expect(MetricKind(rawValue: former) == nil)
      #expect(MetricKind(key: former) == kind)
    }
    #expect(MetricKind(key: "place_error_cost") == .localizationErrorCost)
    #expect(MetricKind(key: "nothing") == nil)
  }

  @Test("A mean over samples has its pooled score in the same task and range")
  func pooled() {
    for kind in MetricKind.allCases {
      guard let pooled = kind.facts.pooled else { continue }
      #expect(pooled.facts.use(in: .segmentation) != nil && !kind.isPerCategory)
      #expect(pooled.facts.range == kind.facts.range)
      #expect(pooled.facts.direction == kind.facts.direction)
    }
  }

  @Test("Two metrics of a task with the same scope have two titles", arguments: ModelTask.allCases)
  func distinctTitles(_ task: ModelTask) {
    for isPerClass in [true, false] {
      let titles = MetricKind.kinds(of: task).filter { $0.isPerCategory == isPerClass }
        .map(\.facts.title)
      #expect(Set(titles).count == titles.count)
    }
  }

  @Test(
    "Each task has an answer, and a headline has a value per run", arguments: ModelTask.allCases)
  func headlines(_ task: ModelTask) {
    for hasSeveral in [true, false] {
      let kinds = MetricKind.shown(.headline, in: task, hasSeveral: hasSeveral)
      #expect(!kinds.isEmpty && !kinds.contains { $0.isPerCategory })
      #expect(MetricKind.shown(.list, in: task, hasSeveral: true).allSatisfy { !$0.isPerCategory })
      #expect(MetricKind.shown(.classTable, in: task).allSatisfy { $0.isPerCategory })
    }
  }

  @Test("Metrics of a task come before those that it shares, which start with those per class")
  func order() {
    #expect(MetricKind.kinds(of: .classification).first == .accuracy)
    #expect(MetricKind.kinds(of: .segmentation).suffix(3) == [.precision, .recall, .support])
    #expect(
      MetricKind.kinds(of: .detection).suffix(7) == [
        .precision, .recall, .f1, .support, .ece15, .coverage, .selectiveRisk,
      ])
  }

  @Test("Better is larger or smaller by the metric; equal values and counts are neither")
  func direction() {
    #expect(MetricKind.accuracy.isImproved(from: 0.5, to: 0.6) == true)
    #expect(MetricKind.logLoss.isImproved(from: 0.5, to: 0.6) == false)
    #expect(MetricKind.logLoss.isImproved(from: 0.6, to: 0.5) == true)
    #expect(MetricKind.accuracy.isImproved(from: 0.5, to: 0.5) == nil)
    #expect(MetricKind.support.isImproved(from: 1, to: 2) == nil)
  }
}
