/// The agreement of several people who gave each item one of several classes.
///
/// Sources: J. Cohen (1960), doi:10.1177/001316446002000104; J. L. Fleiss (1971),
/// doi:10.1037/h0031619; K. Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability".
package struct NominalAgreement: Sendable {
  /// The minimum number of items for intervals of chance-corrected scores.
  package static let leastItems = Bootstrap.leastSamples

  /// The class of each item by each person; `nil` if the person did not rate it.
  private let ratings: [[Int?]]
  private let people: Int
  private let classCount: Int
  /// The items that at least two people rated: how often each class was given, and the number of
  /// ratings.
  private let items: [(counts: [Int], total: Int)]

  /// - Parameters:
  ///   - ratings: for each item a class in `0..<classCount` of each person, or `nil`.
  ///   - people: the number of elements of each item.
  package init(ratings: [[Int?]], people: Int, classCount: Int) {
    self.ratings = ratings
    self.people = people
    self.classCount = classCount
    items = ratings.compactMap { item in
      let given = item.compactMap(\.self)
      guard given.count >= 2 else { return nil }
      var counts = [Int](repeating: 0, count: classCount)
      for rating in given { counts[rating] += 1 }
      return (counts, given.count)
    }
  }

  /// The number of items that at least two people rated.
  package var itemCount: Int { items.count }

  // MARK: Observed agreement

  /// The share of pairs of ratings of an item that are equal, averaged over the items.
  ///
  /// Its interval is Wilson's for two people, where each item is one trial, and Student's of the items'
  /// shares for more.
  package var observed: Score {
    let shares = items.map(Self.share)
    guard let mean = shares.mean() else { return .undefined }
    let interval =
      people == 2
      ? WilsonInterval.of(shares.count { $0 == 1 }, in: shares.count)
      : StudentInterval.of(shares).map {
        Interval(low: max(0, $0.low), high: min(1, $0.high), method: $0.method)
      }
    return Score(mean, interval: interval)
  }

  private static func share(_ item: (counts: [Int], total: Int)) -> Double {
    let pairs = item.counts.reduce(0) { $0 + $1 * ($1 - 1) }
    return Double(pairs) / Double(item.total * (item.total - 1))
  }

  // MARK: Cohen's kappa

  /// Cohen's kappa of two people over the items that both rated, κ = (p₀ − pₑ) / (1 − pₑ); undefined
  /// without such items, and if both give all of them one and the same class.
  package func kappa(_ first: Int, _ second: Int) -> Score {
    var counts: [Cell: Int] = [:]
    for item in ratings {
      guard let one = item[first], let other = item[second] else { continue }
      counts[Cell(one: one, other: other), default: 0] += 1
    }
    let cells = counts.sorted { ($0.key.one, $0.key.other) < ($1.key.one, $1.key.other) }
    var margins = Margins(classCount: classCount)
    for (cell, count) in cells { margins.add(cell, count) }
    guard let value = margins.kappa else { return .undefined }
    var leftOut: [Double] = []
    for (cell, _) in cells {
      var rest = margins
      rest.add(cell, -1)
      guard let value = rest.kappa else { return Score(value) }
      leftOut.append(value)
    }
    return Score(
      value,
      interval: interval(
        of: value, leavingOut: leftOut, counts: cells.map(\.value), items: margins.total))
  }

  private struct Cell: Hashable {
    var one: Int
    var other: Int
  }

  private struct Margins {
    var first: [Int]
    var second: [Int]
    var equal = 0
    var total = 0

    init(classCount: Int) {
      first = Array(repeating: 0, count: classCount)
      second = first
    }

    mutating func add(_ cell: Cell, _ count: Int) {
      first[cell.one] += count
      second[cell.other] += count
      total += count
      if cell.one == cell.other { equal += count }
    }

    var kappa: Double? {
      guard total > 0 else { return nil }
      let n = Double(total)
      let chance = zip(first, second).map { Double($0) * Double($1) }.compensatedSum()
      let byChance = n - chance / n
      return byChance > 0 ? 1 - (n - Double(equal)) / byChance : nil
    }
  }

  // MARK: More than two people

  /// Fleiss' kappa; undefined unless the same number of people rated each item, and if all ratings
  /// are of one class.
  package var fleiss: Score {
    guard let first = items.first, items.allSatisfy({ $0.total == first.total }) else {
      return .undefined
    }
    func value(_ shares: Double, _ classes: [Int], _ count: Int) -> Double? {
      guard count > 0 else { return nil }
      let ratings = Double(count * first.total)
      let chance = classes.map { Double($0) / ratings }.map { $0 * $0 }.compensatedSum()
      return chance < 1 ? (shares / Double(count) - chance) / (1 - chance) : nil
    }
    return jackknifed(term: Self.share) { value($0, $1, $2) }
  }

  /// Krippendorff's alpha for nominal values, α = 1 − Dₒ / Dₑ, over the items with at least two
  /// ratings; undefined if all ratings are of one class.
  package var alpha: Score {
    jackknifed { item in
      Double(item.counts.reduce(0) { $0 + $1 * ($1 - 1) }) / Double(item.total - 1)
    } value: { equal, classes, _ in
      let n = Double(classes.reduce(0, +))
      let expected = n * n - classes.map { Double($0) * Double($0) }.compensatedSum()
      return expected > 0 ? 1 - (n - 1) * (n - equal) / expected : nil
    }
  }

  /// A score of a sum over items and the numbers of ratings of each class, with its interval.
  private func jackknifed(
    term: ((counts: [Int], total: Int)) -> Double,
    value: (_ sum: Double, _ classes: [Int], _ items: Int) -> Double?
  ) -> Score {
    let terms = items.map(term)
    var classes = [Int](repeating: 0, count: classCount)
    for item in items { for place in classes.indices { classes[place] += item.counts[place] } }
    let sum = terms.compensatedSum()
    guard let whole = value(sum, classes, items.count) else { return .undefined }
    guard items.count >= Self.leastItems else { return Score(whole) }
    var leftOut: [Double] = []
    leftOut.reserveCapacity(items.count)
    for (item, term) in zip(items, terms) {
      var rest = classes
      for place in rest.indices { rest[place] -= item.counts[place] }
      guard let value = value(sum - term, rest, items.count - 1) else { return Score(whole) }
      leftOut.append(value)
    }
    return Score(
      whole, interval: interval(of: whole, leavingOut: leftOut, counts: nil, items: items.count))
  }

  private func interval(
    of value: Double, leavingOut leftOut: [Double], counts: [Int]?, items: Int
  ) -> Interval? {
    guard items >= Self.leastItems else { return nil }
    return JackknifeInterval.of(value, leavingOut: leftOut, counts: counts, isDifference: true)
  }
}
