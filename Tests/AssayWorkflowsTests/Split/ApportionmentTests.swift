import AssayCore
import Testing

import AssayWorkflows

@Suite("Apportionment")
struct ApportionmentTests {
  @Test(
    "The largest remainders get what is left, ties the lower ordinal",
    arguments: [
      (10, [1, 1], [5, 5]),
      // 7/2 = 3.5 twice: the first gets the odd one.
      (7, [1, 1], [4, 3]),
      // 10/3 = 3.33 three times.
      (10, [1, 1, 1], [4, 3, 3]),
      // 28,709 · 0.8 = 22,967.2 and · 0.2 = 5,741.8: the second has the larger remainder.
      (28_709, [8, 2], [22_967, 5_742]),
      (1, [1, 9], [0, 1]), (0, [1, 2], [0, 0]), (5, [0, 1], [0, 5]),
    ])
  func divide(total: Int, weights: [Int], expected: [Int]) {
    #expect(Apportionment.divide(total, by: weights) == expected)
  }

  @Test("The book's training set by classes: 22,967 and 5,742, where rounding gives 22,968")
  func book() {
    // FER-2013's training split, angry to neutral.
    let classes = [3995, 436, 4097, 7215, 4830, 3171, 4965]
    let parts = Apportionment.stratify(classes, by: [800_000_000, 200_000_000])
    #expect(parts.map { $0.reduce(0, +) } == [22_967, 5_742])
    // · 0.8: 3196.0 348.8 3277.6 5772.0 3864.0 2536.8 3972.0; floors add up to 22,965, so two more
    // go to the remainders 0.8 of disgust and surprise.
    #expect(parts[0] == [3196, 349, 3277, 5772, 3864, 2537, 3972])
    #expect(zip(parts[0], parts[1]).map { $0 + $1 } == classes)
    let rounded = classes.map { Int((Double($0) * 0.8).rounded()) }.reduce(0, +)
    #expect(rounded == 22_968)
  }

  @Test("Totals are exact, classes are used up, and no class is off by more than one in two parts")
  func properties() {
    var random = SplitMix64(seed: 17)
    for _ in 0..<2_000 {
      let classes = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        Int.random(in: 0...50, using: &random)
      }
      let weights = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        Int.random(in: 1...1000, using: &random)
      }
      let parts = Apportionment.stratify(classes, by: weights)
      let total = classes.reduce(0, +)
      #expect(parts.map { $0.reduce(0, +) } == Apportionment.divide(total, by: weights))
      for (ordinal, count) in classes.enumerated() {
        #expect(parts.map { $0[ordinal] }.reduce(0, +) == count)
        #expect(parts.allSatisfy { $0[ordinal] >= 0 })
        guard weights.count == 2 else { continue }
        let quota = Double(count * weights[0]) / Double(weights[0] + weights[1])
        #expect(abs(Double(parts[0][ordinal]) - quota) < 1)
      }
    }
  }
}
