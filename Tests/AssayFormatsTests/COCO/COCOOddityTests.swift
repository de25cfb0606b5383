import AssayCore
import Testing

@testable import AssayFormats

@Suite("Oddities of COCO files")
struct COCOOddityTests {
  @Test("Each has a key of its own, in snake case")
  func keys() {
    let keys = COCOOddity.allCases.map(\.key)
    #expect(Set(keys).count == keys.count)
    #expect(keys.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "_" } })
  }

  @Test("Those of results have words, and no list of the ground truth")
  func results() {
    let results = COCOOddity.allCases.filter { $0.side == .results }
    #expect(results.count == 23 && results.first == .wrappedResults)
    #expect(results.allSatisfy { $0.list == nil && $0.words.one != $0.key })
    #expect(COCOOddity.allCases.count { $0.side == .truth && $0.words.one != $0.key } == 39)
  }

  @Test("Counts keep the first place in the file, whatever the order in which parts are merged")
  func counts() {
    var first = OddityCounts()
    first.note(.noArea, at: 3, "/area", "a")
    first.note(.noArea, at: 1, "/area", "b")
    var second = OddityCounts()
    second.note(.noArea, at: 0, "/area", "c")
    second.note(.noAnnotations, at: nil)
    var all = OddityCounts()
    all.merge(second, at: 10)
    all.merge(first)
    #expect(all[.noArea] == 3 && all[.noAnnotations] == 1 && all[.zeroID] == 0)
    #expect(
      all.findings() == [
        OddityCount(oddity: .noAnnotations, count: 1, pointer: nil, detail: ""),
        OddityCount(oddity: .noArea, count: 3, pointer: "/annotations/1/area", detail: "b"),
      ])
  }

  @Test("An import lists the first issues of each oddity, and counts the rest over all parts")
  func issues() {
    var list = OddityIssueList("x.json")
    var listed = 0
    for part in 0..<3 {
      var issues = OddityIssues("x.json")
      for place in 0..<70 {
        issues.note(.noArea, "/annotations/\(place)/area", "part \(part)")
      }
      if part == 1 { issues.note(.badImage, "/images/0", "one") }
      issues.count(.missingImage, 1)
      listed += list.take(issues).count
    }
    #expect(listed == 101)
    #expect(
      list.remainder().map(\.message) == [
        "3 more missing images (3 in all) were counted and not listed",
        "110 more annotations without 'area' (210 in all) were counted and not listed",
      ])
    #expect(list.remainder().map(\.kind) == [.missingImage, .missingField])
  }
}
