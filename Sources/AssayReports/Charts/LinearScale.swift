/// A linear map from values to layout pixels.
struct LinearScale: Sendable {
  /// The values at the two ends; the second is larger.
  let domain: ClosedRange<Double>
  /// The position of the domain's lower end.
  let start: Double
  /// The position of the domain's upper end; less than `start` for an axis that grows upwards.
  let end: Double

  /// Creates a scale over exactly `domain`; an empty domain is widened by 1.
  init(_ domain: ClosedRange<Double>, start: Double, end: Double) {
    let isEmpty = domain.lowerBound == domain.upperBound
    self.domain = isEmpty ? domain.lowerBound...(domain.upperBound + 1) : domain
    self.start = start
    self.end = end
  }

  /// Creates a scale from 0 to the first tick at or above `largest`.
  init(upTo largest: Double, ticks: Int, start: Double, end: Double) {
    let step = TickStep.round(for: max(largest, 1e-12) / Double(max(ticks, 1)))
    let steps = max(1, (largest / step - 1e-9).rounded(.up))
    self.init(0...(steps * step), start: start, end: end)
  }

  /// Returns the position of a value.
  func callAsFunction(_ value: Double) -> Double {
    let share = (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
    return start + share * (end - start)
  }

  /// Returns at most about `count` round values inside the domain, in ascending order.
  func ticks(_ count: Int) -> [Double] {
    let step = TickStep.round(
      for: (domain.upperBound - domain.lowerBound) / Double(max(count, 1)))
    let first = (domain.lowerBound / step - 1e-9).rounded(.up)
    let last = (domain.upperBound / step + 1e-9).rounded(.down)
    guard first <= last, last - first < 1_000 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }
}
