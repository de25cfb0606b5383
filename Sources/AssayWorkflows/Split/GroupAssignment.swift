/// The assignment of whole groups of samples to parts.
///
/// Groups are taken by descending size, those of one size in the order of SHA-256(seed as 8 bytes,
/// little-endian; then the name of the group). Each goes to the part where the sum of squared
/// deviations from the shares, relative to the shares, grows the least; the first part on ties. So
/// the shares are met as well as the sizes of the groups allow, and not exactly.
enum GroupAssignment {
  /// The part of each group.
  ///
  /// - Parameters:
  ///   - groups: for each group, its number of samples per stratum, as pairs of stratum and count;
  ///     one stratum if the split is not stratified.
  ///   - strata: the number of strata.
  ///   - names: the name of each group, unique.
  ///   - weights: the weights of the parts, greater than 0.
  /// - Complexity: O(*g* log *g* + *p* · *c*), for *g* groups with *c* counts in total and *p* parts.
  static func assign(
    _ groups: [[(stratum: Int, count: Int)]], strata: Int, names: [String], weights: [Int],
    seed: UInt64
  ) -> [Int] {
    let sizes = groups.map { $0.reduce(0) { $0 + $1.count } }
    let digests = names.map { SeededOrder.digest(of: $0, seed: seed) }
    let order = groups.indices.sorted { a, b in
      sizes[a] != sizes[b]
        ? sizes[a] > sizes[b] : digests[a].lexicographicallyPrecedes(digests[b])
    }
    var totals = Array(repeating: 0, count: strata)
    for group in groups { for (stratum, count) in group { totals[stratum] += count } }
    let sum = Double(weights.reduce(0, +))
    let shares = weights.map { weight in totals.map { Double($0) * Double(weight) / sum } }
    var counts = weights.map { _ in Array(repeating: 0.0, count: strata) }
    var parts = Array(repeating: 0, count: groups.count)
    for group in order {
      var best: (part: Int, growth: Double)?
      for part in weights.indices {
        let growth = groups[group].reduce(0.0) { growth, item in
          let share = shares[part][item.stratum]
          let before = counts[part][item.stratum] - share
          let after = before + Double(item.count)
          return share > 0 ? growth + (after * after - before * before) / share : growth
        }
        if best.map({ growth < $0.growth }) ?? true { best = (part, growth) }
      }
      let part = best?.part ?? 0
      parts[group] = part
      for (stratum, count) in groups[group] { counts[part][stratum] += Double(count) }
    }
    return parts
  }
}
