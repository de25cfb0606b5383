import AssayCore
import RealModule

extension SplitMix64 {
  /// The generator of one of many independent draws from a seed.
  ///
  /// The draw's number is hashed, because neighboring states of SplitMix64 give the same sequence,
  /// shifted.
  init(seed: UInt64, draw: Int) {
    var hash = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: draw) &* 0xD1B5_4A32_D192_ED03)
    self.init(seed: hash.next())
  }

  /// A number in [0, 1), a multiple of 2⁻⁵³.
  mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number in `0..<bound`; `bound` is at least 1.
  mutating func nextIndex(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Draws the number of successes in `trials` trials that each succeed with `probability`; trials at least 0,
  /// probability in 0...1.
  ///
  /// Source: W. Hörmann (1993), doi:10.1080/00949659308811496 (BTRS); inversion if few are expected.
  mutating func nextBinomial(trials: Int, probability: Double) -> Int {
    guard trials > 0, probability > 0 else { return 0 }
    guard probability < 1 else { return trials }
    if probability > 0.5 {
      return trials - nextBinomial(trials: trials, probability: 1 - probability)
    }
    return Double(trials) * probability < 10
      ? binomialByInversion(trials: trials, probability: probability)
      : binomialByRejection(trials: trials, probability: probability)
  }

  private mutating func binomialByInversion(trials: Int, probability: Double) -> Int {
    let odds = probability / (1 - probability)
    let first = Double.exp(Double(trials) * Double.log(onePlus: -probability))
    while true {
      var left = nextUnit()
      var term = first
      var successes = 0
      while left > term, successes <= trials {
        left -= term
        successes += 1
        term *= odds * Double(trials - successes + 1) / Double(successes)
      }
      if successes <= trials { return successes }
    }
  }

  private mutating func binomialByRejection(trials: Int, probability: Double) -> Int {
    let n = Double(trials)
    let odds = probability / (1 - probability)
    let deviation = (n * probability * (1 - probability)).squareRoot()
    let b = 1.15 + 2.53 * deviation
    let a = -0.0873 + 0.0248 * b + 0.01 * probability
    let center = n * probability + 0.5
    let sure = 0.92 - 4.2 / b
    let alpha = (2.83 + 5.1 / b) * deviation
    let mode = ((n + 1) * probability).rounded(.down)
    while true {
      let u = nextUnit() - 0.5
      var v = nextUnit()
      let side = 0.5 - abs(u)
      let k = ((2 * a / side + b) * u + center).rounded(.down)
      if k < 0 || k > n { continue }
      if side >= 0.07, v <= sure { return Int(k) }
      v = Double.log(v * alpha / (a / (side * side) + b))
      let bound =
        (mode + 0.5) * Double.log((mode + 1) / (odds * (n - mode + 1)))
        + (n + 1) * Double.log((n - mode + 1) / (n - k + 1))
        + (k + 0.5) * Double.log(odds * (n - k + 1) / (k + 1))
        + Self.stirlingRest(mode) + Self.stirlingRest(n - mode) - Self.stirlingRest(k)
        - Self.stirlingRest(n - k)
      if v <= bound { return Int(k) }
    }
  }

  /// ln k! minus Stirling's formula for it.
  private static func stirlingRest(_ k: Double) -> Double {
    if k < 10 {
      return Double.logGamma(k + 1)
        - ((k + 0.5) * Double.log(k + 1) - (k + 1) + 0.5 * Double.log(2 * .pi))
    }
    let square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)
  }
}
