import AssayCore
import AssayStore
import Testing

import AssayWorkflows

@Suite("What is said about corrections")
struct CorrectionStatusTests {
  private func use(
    _ corrections: Int, _ samples: Int, leftOut: Int = 0, conflicts: Int = 0, issues: Int = 0,
    used: Bool = false
  ) -> CorrectionStatus {
    var counts = CorrectionCounts()
    counts.corrections = corrections
    counts.samples = samples
    counts.leftOut = leftOut
    counts.conflicts = conflicts
    counts.issues = issues
    var use = CorrectionStatus()
    use.hasLedger = true
    use.used = used
    use.sequence = used ? 112 : nil
    use.datasets = ["faces": counts]
    return use
  }

  @Test("One line says how many there are, and whether they were used")
  func remarks() {
    #expect(
      use(37, 31).remark == "37 corrections exist, not used (--corrected uses them)")
    #expect(use(1, 1).remark == "1 correction exists, not used (--corrected uses it)")
    #expect(
      use(37, 31, leftOut: 2, used: true).remark
        == "37 corrections to 31 samples used (entry 112); 2 samples left out")
    #expect(use(0, 0, used: true).remark == "0 corrections used (entry 112)")
    #expect(use(0, 0).remark == nil)
    #expect(CorrectionStatus.none.remark == nil)
    #expect(
      use(0, 0, conflicts: 1, issues: 2).remark
        == "1 conflict to resolve (assay corrections ls); 2 samples whose corrections no longer apply "
        + "(assay corrections ls)")
    #expect(use(3, 2).asExistence.remark == "3 corrections to 2 samples apply")
    #expect(use(3, 2).withoutUsage.remark == nil)
    var search = use(3, 2, leftOut: 1, used: true)
    search.leavesOut = false
    #expect(
      search.remark
        == "3 corrections to 2 samples used (entry 112); 1 sample left out of evaluation and export "
        + "(left_out = true)")
  }

  @Test("What is about one dataset says nothing of another")
  func datasets() {
    var all = use(3, 2, used: true)
    all.datasets["coco"] = CorrectionCounts()
    all.datasets["coco"]?.corrections = 5
    #expect(all.exist == 8)
    #expect(all.of("faces").exist == 3)
    #expect(all.of("street").remark == "0 corrections used (entry 112)")
    #expect(all.of("faces").of("coco").exist == 0)
  }

  @Test("JSON has the same numbers, and no member without a ledger")
  func json() {
    #expect(
      use(37, 31, leftOut: 2, conflicts: 1, issues: 4, used: true).json == [
        "exist": 37, "samples": 31, "used": true, "entry": 112, "left_out": 2, "conflicts": 1,
        "issues": 4, "problem": nil,
      ])
    #expect(use(0, 0).members.count == 1)
    #expect(CorrectionStatus.none.members == [])
  }
}
