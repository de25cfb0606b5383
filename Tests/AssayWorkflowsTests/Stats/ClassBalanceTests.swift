import AssayStore
import AssayWorkflows
import Testing

@Suite("Class balance")
struct ClassBalanceTests {
  private func sample(_ id: Int64, _ split: String?, _ category: Int?) -> SampleRecord {
    SampleRecord(id: id, key: "\(id)", split: split, category: category)
  }

  @Test("Samples are counted by class and split, those without a label apart")
  func counts() {
    let balance = ClassBalance(
      [
        sample(1, "train", 0), sample(2, "train", 1), sample(3, nil, 1), sample(4, "train", nil),
        sample(5, "test", 1), sample(6, "train", 1),
      ], names: ["cat", "dog", "cow"])
    #expect(balance.splits == ["train", "test", nil])
    #expect(balance.classes.map(\.counts) == [[1, 0, 0], [2, 1, 1], [0, 0, 0]])
    #expect(balance.unlabeled.counts == [1, 0, 0])
    #expect(balance.labeled == 5)
    // 4 of 5 labeled samples are dogs.
    #expect(balance.share(of: balance.classes[1]) == 0.8)
    #expect(balance.absent == ["cow"])
  }

  @Test("Imbalance is the largest class over the smallest that has samples")
  func imbalance() {
    let balance = ClassBalance(
      [sample(1, nil, 2), sample(2, nil, 0), sample(3, nil, 2), sample(4, nil, 2)],
      names: ["a", "b", "c"])
    #expect(balance.imbalance == .init(largest: "c", smallest: "a", ratio: 3))
  }

  @Test("Labels beside regions count for each of them, and the only label of an image with them")
  func tags() {
    func tagged(_ id: Int64, _ label: Int?, _ tags: [Int]) -> SampleRecord {
      SampleRecord(id: id, key: "\(id)", category: label, categories: tags)
    }
    let balance = ClassBalance(
      [tagged(1, nil, [0, 1]), tagged(2, 1, []), tagged(3, nil, []), tagged(4, 1, [1])],
      names: ["wet", "dark", "car"])
    #expect(balance.hasSets && !balance.isMultiLabel && balance.cardinality == nil)
    #expect(balance.classes.map(\.total) == [1, 3, 0])
    #expect(balance.unlabeled.total == 1 && balance.labeled == 3 && balance.labels == 4)
    #expect(balance.share(of: balance.classes[1]) == 1)
    #expect(balance.absent == ["car"])
  }

  @Test("One class, or none, has no imbalance; unlabeled samples have no share")
  func undefined() {
    let one = ClassBalance([sample(1, nil, 0)], names: ["a", "b"])
    #expect(one.imbalance == nil)
    let none = ClassBalance([sample(1, nil, nil)], names: ["a"])
    #expect(none.imbalance == nil && none.share(of: none.classes[0]) == nil)
  }
}
