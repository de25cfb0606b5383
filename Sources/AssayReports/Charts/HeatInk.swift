/// The text color that is readable on a heat map's cell; the raw value is its CSS class.
///
/// On white paper the text turns light at a strength of 0.7, on a dark screen it turns dark
/// at 0.6: the two inks have the same contrast at these strengths. So there are three
/// classes instead of two.
enum HeatInk: String, Sendable {
  case weak = "k0"
  case middle = "k1"
  case strong = "k2"

  init(strength: Double) {
    self = strength < 0.6 ? .weak : strength < 0.7 ? .middle : .strong
  }

  /// The ink on white paper.
  var light: Ink { self == .strong ? .inverse : .text }
}
