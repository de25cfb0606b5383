import AssayCore
import AssayMetrics
import AssayStore
import Testing

@testable import AssayWorkflows

@Suite struct ObjectChangesTests {
  private func truth(_ annotation: Int, _ category: Int, area: Double) -> ObjectChanges.Truth {
    ObjectChanges.Truth(
      annotation: annotation, sourceID: .integer(Int64(annotation)), category: category,
      box: Box(x: 0, y: 0, width: area, height: 1), area: area)
  }

  private func found(_ score: Double) -> ObjectAnswer {
    ObjectAnswer(.found, prediction: 0, category: 0, confidence: score, iou: 0.9)
  }

  /// Two samples: in the first, one object is lost, one won, one found by both and one by neither;
  /// in the second, two are lost.
  private func changes() -> ObjectChanges {
    var changes = ObjectChanges(classCount: 2, ranges: AreaRange.coco)
    changes.add(
      sample: 0,
      [
        truth(0, 0, area: 100), truth(1, 0, area: 2000), truth(2, 1, area: 1024),
        truth(3, 1, area: 10_000),
      ],
      first: [0: found(0.6), 2: found(0.9)],
      second: [1: found(0.8), 2: found(0.7), 0: ObjectAnswer(.unsure, confidence: 0.2)])
    changes.add(
      sample: 1, [truth(0, 0, area: 10), truth(1, 1, area: 10)],
      first: [0: found(0.6), 1: found(0.95)], second: [:])
    changes.finish()
    return changes
  }

  @Test("Objects are counted over all, by class and by size")
  func totals() {
    let changes = changes()
    #expect(changes.all.objects == 6)
    #expect(changes.all.foundByFirst == 4)
    #expect(changes.all.foundBySecond == 2)
    #expect(
      [changes.all.lost, changes.all.won, changes.all.foundByBoth, changes.all.foundByNeither]
        == [3, 1, 1, 1])
    #expect(changes.classes.map(\.lost) == [2, 1])
    #expect(changes.classes.map(\.won) == [1, 0])
    // 1024 pixels are both small and medium, because both ends of a range are included.
    #expect(changes.sizes.map(\.range.name) == ["small", "medium", "large"])
    #expect(changes.sizes.map(\.totals.objects) == [4, 2, 1])
    #expect(changes.sizes.map(\.totals.lost) == [3, 0, 0])
  }

  @Test("Lost and won name the object and what either says, the surest first")
  func lists() {
    let changes = changes()
    #expect(changes.lost.map(\.confidence) == [0.95, 0.6, 0.6])
    #expect(changes.lost.map(\.sample) == [1, 0, 1])
    #expect(changes.lost[1].annotation == 0)
    #expect(changes.lost[1].second.outcome == .unsure)
    #expect(changes.lost[2].second.outcome == .nothing)
    #expect(changes.won.map(\.annotation) == [1])
    #expect(changes.won[0].first.outcome == .nothing)
    #expect(changes.won[0].area == 2000)
  }

  @Test("Samples are tested, not objects: one that gained as many as it lost says nothing")
  func test() {
    let changes = changes()
    // Sample 0 lost one and won one; sample 1 lost two.
    #expect(changes.all.samplesLost == 1)
    #expect(changes.all.samplesWon == 0)
    #expect(changes.all.test.pValue == 1)
    // Class 0: a tie in sample 0. Class 1: nothing in sample 0, one lost in sample 1.
    #expect(changes.classes.map(\.samplesLost) == [1, 1])
    #expect(changes.classPValues == [1, 1])
  }

  @Test("The p-values of classes are corrected by Holm; a class without a change has none")
  func holm() {
    var changes = ObjectChanges(classCount: 3, ranges: AreaRange.coco)
    for sample in 0..<8 {
      changes.add(
        sample: sample, [truth(0, 0, area: 1), truth(1, 1, area: 1), truth(2, 2, area: 1)],
        first: [0: found(0.5), 2: found(0.5)],
        second: sample < 6 ? [1: found(0.5), 2: found(0.5)] : [2: found(0.5)])
    }
    changes.finish()
    // Eight of eight lost: 2 / 2⁸; six of six won: 2 / 2⁶. The smaller one counts twice.
    let expected: [Double?] = [0.015625, 0.03125, nil]
    #expect(changes.classPValues == expected)
  }
}
