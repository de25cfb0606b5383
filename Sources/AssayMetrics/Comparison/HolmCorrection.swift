/// Holm's step-down correction of several p-values, which keeps the probability of any false
/// positive among them below the level.
///
/// Source: S. Holm (1979), Scandinavian Journal of Statistics 6.
package enum HolmCorrection {
  /// The corrected p-values, each in 0...1 and at least the given one, in the given order; `nil`
  /// for tests that were not made, which do not count.
  package static func of(_ values: [Double?]) -> [Double?] {
    let order = values.indices.filter { values[$0] != nil }
      .sorted { (values[$0] ?? 1, $0) < (values[$1] ?? 1, $1) }
    var corrected = [Double?](repeating: nil, count: values.count)
    var largest = 0.0
    for (place, index) in order.enumerated() {
      largest = max(largest, min(1, Double(order.count - place) * (values[index] ?? 1)))
      corrected[index] = largest
    }
    return corrected
  }
}
