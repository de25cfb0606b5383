/// The names of the largest and the smallest of some values in a sentence, ties included.
struct RankedNames {
  /// The largest value, and all names that have it, in their order.
  let highest: (names: [String], value: Double)
  let lowest: (names: [String], value: Double)

  /// - Returns: `nil` without a value.
  init?(_ values: [(name: String, value: Double)]) {
    guard let least = values.map(\.value).min(), let most = values.map(\.value).max() else {
      return nil
    }
    highest = (values.filter { $0.value == most }.map(\.name), most)
    lowest = (values.filter { $0.value == least }.map(\.name), least)
  }

  /// True if all values are equal.
  var isLevel: Bool { highest.value == lowest.value }

  /// `cat`, `cat and dog`, or `cat and 3 more`.
  static func text(_ names: [String]) -> String {
    switch names.count {
    case 0, 1: names.first ?? ""
    case 2: "\(names[0]) and \(names[1])"
    default: "\(names[0]) and \(names.count - 1) more"
    }
  }

  /// The sentence about the AP of classes.
  ///
  /// - Parameter count: the number of classes that occur.
  func sentence(of count: Int) -> String {
    let (most, least) = (NumberText.fixed(highest.value), NumberText.fixed(lowest.value))
    if isLevel {
      return count == 1
        ? "AP is \(most) for \(highest.names[0])."
        : "AP is \(most) for all \(count) classes that occur."
    }
    return
      "AP is highest for \(Self.text(highest.names)) (\(most)) and lowest for "
      + "\(Self.text(lowest.names)) (\(least))."
  }
}
