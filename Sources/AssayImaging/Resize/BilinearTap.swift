/// The two source places that one target place lies between.
struct BilinearTap: Sendable {
  let first: Int
  let second: Int
  /// The shares of the two; their sum is 1.
  let weights: (Float, Float)
  /// The shares in 2048ths.
  let fixed: (Int16, Int16)

  private init(first: Int, second: Int, weight: Float, rounded: Float) {
    self.first = first
    self.second = second
    weights = (1 - weight, weight)
    fixed = (
      Int16(((1 - rounded) * 2048).rounded(.toNearestOrEven)),
      Int16((rounded * 2048).rounded(.toNearestOrEven))
    )
  }

  static func columns(from source: Int, to target: Int) -> [BilinearTap] {
    rows(from: source, to: target).map { tap in
      tap.first == tap.second
        ? BilinearTap(first: tap.first, second: tap.first, weight: 0, rounded: 0) : tap
    }
  }

  /// Beyond the edge the shares stay and both rows are the edge: in exact numbers the same as a single
  /// row, but OpenCV's integers round each share apart.
  static func rows(from source: Int, to target: Int) -> [BilinearTap] {
    let scale = 1 / (Double(target) / Double(source))
    return (0..<target).map { place in
      let exact = (Double(place) + 0.5) * scale - 0.5
      // OpenCV takes its 11-bit weights from a place in float32.
      let rounded = Float(exact)
      let first = Int(rounded.rounded(.down))
      return BilinearTap(
        first: min(max(first, 0), source - 1), second: min(max(first + 1, 0), source - 1),
        weight: Float(min(max(exact - Double(first), 0), 1)), rounded: rounded - Float(first))
    }
  }
}
