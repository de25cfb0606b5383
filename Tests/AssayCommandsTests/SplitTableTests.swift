import Testing

@testable import AssayCommands
@testable import AssayStore
@testable import AssayWorkflows

@Suite("Samples by class and split")
struct SplitTableTests {
  @Test("Known splits stand in the order of use, others by name, none last")
  func order() {
    let counts = ["test", nil, "Weird", "val", "train", "extra"].map {
      SplitCount(split: $0, category: 0, count: 1)
    }
    let table = SplitTable(counts, classes: ["cat"])
    #expect(table.splits == ["train", "val", "test", "Weird", "extra", nil])
  }

  @Test("What the import counted and what the catalog counts are one table")
  func same() {
    var imported = ImportCounts(classes: ["cat", "dog"])
    imported.splits = ["train", "test"]
    imported.samples = [[2, 0, 1], [1, 3, 0]]
    let stored = [
      SplitCount(split: "test", category: 0, count: 1),
      SplitCount(split: "test", category: 1, count: 3),
      SplitCount(split: "train", category: 0, count: 2),
      SplitCount(split: "train", category: nil, count: 1),
    ]
    #expect(SplitTable(imported) == SplitTable(stored, classes: ["cat", "dog"]))
    #expect(
      SplitTable(imported).text(in: Terminal()) == """
        class     train  test  all
        cat           2     1    3
        dog           0     3    3
        no label      1     0    1
        all           3     4    7
        """)
    #expect(SplitTable(imported).json.elements?.count == 4)
  }

  @Test("If no sample has a label, as with masks, there are no rows of zeros")
  func regions() {
    let counts = [
      SplitCount(split: "a", category: nil, count: 40),
      SplitCount(split: "b", category: nil, count: 39),
    ]
    let table = SplitTable(counts, classes: ["person", "car"])
    #expect(
      table.isUnlabeled
        && table.text(in: Terminal()) == """
                    a   b  all
          samples  40  39   79
          """
    )
    #expect(!SplitTable([], classes: ["cat"]).isUnlabeled)
  }

  @Test("A dataset without samples has its classes and zeros")
  func empty() {
    #expect(
      SplitTable([], classes: ["cat"]).text(in: Terminal()) == "class  all\ncat      0\nall      0")
  }
}
