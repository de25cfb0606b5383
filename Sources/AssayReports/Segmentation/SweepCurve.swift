package import AssayMetrics

/// The scores as a function of one setting.
package struct SweepCurve: Sendable {
  /// The scores at one value of the setting.
  package struct Place: Sendable {
    package var value: Double
    package var iou: Score
    package var dice: Score

    package init(value: Double, iou: Score, dice: Score) {
      self.value = value
      self.iou = iou
      self.dice = dice
    }
  }

  /// The setting's name: `threshold`.
  package var setting: String
  /// The points in ascending order of the value.
  package var places: [Place]
  /// The value that this evaluation used; `nil` if it is not a single number.
  package var current: Double?

  package init(setting: String, places: [Place], current: Double?) {
    self.setting = setting
    self.places = places
    self.current = current
  }

  /// The point with the largest IoU, the first one on ties; `nil` if no IoU is defined.
  package var best: Place? {
    var best: Place?
    for place in places {
      guard let value = place.iou.value else { continue }
      if value > best?.iou.value ?? -1 { best = place }
    }
    return best
  }
}
