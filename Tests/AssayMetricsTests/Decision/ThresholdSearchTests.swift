import Testing

@testable import AssayMetrics

@Suite struct ThresholdSearchTests {
  struct Content: Decodable {
    struct Choice: Decodable {
      var threshold: Double
      var accepted: Int
      var errors: Int
      var level: Double
      var upper: Double
    }
    struct Case: Decodable {
      var risk: Double
      var level: Double
      var least: Int
      var scores: [Double]
      var wrong: [Int]
      var chosen: Choice?
    }
    struct Sets: Decodable {
      var own: [Double]
      var risk: Double
      var rank: Int
      var threshold: Double
    }
    var searches: [Case]
    var conformal: [Sets]
  }

  @Test("The chosen thresholds are those that scipy's exact tests choose")
  func goldens() throws {
    for item in try Goldens.load("decision", as: Content.self).searches {
      let search = ThresholdSearch(risk: item.risk, level: item.level)
      #expect(search.leastCount == item.least)
      let choice = search.choose(item.scores.map { Float($0) }) { item.wrong[$0] == 1 }
      #expect(choice.count == item.scores.count)
      #expect((choice.chosen == nil) == (item.chosen == nil))
      guard let found = choice.chosen, let golden = item.chosen else {
        #expect(choice.closest != nil)
        continue
      }
      #expect(found.threshold == Float(golden.threshold))
      #expect(found.accepted == golden.accepted && found.errors == golden.errors)
      #expect(Goldens.agree(found.level, golden.level))
      #expect(Goldens.agree(found.upper, golden.upper, 1e-9))
      #expect(found.upper <= item.risk)
    }
  }

  @Test("Equal scores are all accepted or none, and a score equals its decimal threshold")
  func ties() throws {
    let search = ThresholdSearch(risk: 0.1, level: 0.05)
    let choice = search.choose(Array(repeating: 0.9, count: 100)) { _ in false }
    let chosen = try #require(choice.chosen)
    #expect(chosen.accepted == 100 && chosen.threshold == 0)
    // One error too many for all of the tied samples.
    let wrong = search.choose(Array(repeating: 0.9, count: 100)) { $0 % 5 == 0 }
    #expect(wrong.chosen == nil)
    #expect(wrong.closest?.accepted == 100 && wrong.closest?.errors == 20)
  }

  @Test("Just enough predictions without error are accepted, one fewer are not")
  func leastCount() {
    for (risk, level) in [(0.1, 0.05), (0.05, 0.05 / 7), (0.3, 0.1)] {
      let search = ThresholdSearch(risk: risk, level: level)
      let least = search.leastCount
      let few = search.choose(Array(repeating: 0.95, count: least - 1)) { _ in false }
      // Levels add up only over thresholds that are rejected.
      #expect(few.chosen == nil)
      let enough = search.choose(Array(repeating: 0.95, count: least)) { _ in false }
      #expect(enough.chosen != nil)
    }
  }

  @Test("The grid falls, contains its starts, and accepts everything at its end")
  func grid() {
    let grid = ThresholdSearch.grid
    #expect(zip(grid, grid.dropFirst()).allSatisfy { $0 > $1 })
    #expect(ThresholdSearch.starts.allSatisfy(grid.contains))
    #expect(grid.last == 0)
    #expect(ThresholdSearch(risk: 0.1, level: 0.05).choose([]) { _ in true }.chosen == nil)
  }

  @Test("Conformal thresholds have the rank and the value of numpy's quantile")
  func conformal() throws {
    for item in try Goldens.load("decision", as: Content.self).conformal {
      let own = item.own.map { Float($0) }
      #expect(ConformalThreshold.rank(of: own.count, risk: item.risk) == item.rank)
      #expect(ConformalThreshold.of(own, risk: item.risk) == Float(item.threshold))
    }
    for risk in [0.01, 0.05, 0.1, 0.25, 0.3, 0.5, 0.9] {
      let least = ConformalThreshold.leastCount(risk: risk)
      #expect(ConformalThreshold.rank(of: least, risk: risk) <= least)
      if least > 0 {
        #expect(ConformalThreshold.rank(of: least - 1, risk: risk) > least - 1)
      }
    }
    #expect(ConformalThreshold.leastCount(risk: 0.1) == 9)
  }
}
