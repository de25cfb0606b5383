/// Round distances between the ticks of an axis.
enum TickStep {
  /// Returns the smallest of 1, 2, 2.5, 5 times a power of ten that is at least `distance`; 1 if
  /// `distance` is not positive.
  static func round(for distance: Double) -> Double {
    guard distance > 0, distance.isFinite else { return 1 }
    var power = 1.0
    while power > distance { power /= 10 }
    while power * 10 <= distance { power *= 10 }
    // A factor that is too small only by a rounding error still counts: 0.1 * 3 is not 0.3.
    let factors = [1.0, 2, 2.5, 5, 10]
    let factor = factors.first { power * $0 >= distance * (1 - 1e-9) } ?? 10
    return power * factor
  }
}
