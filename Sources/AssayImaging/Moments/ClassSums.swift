/// Sums and sums of squares of one class, element by element.
///
/// Images are added to narrow sums suited to vector instructions; before those could overflow, they
/// are added to 64-bit sums. Nothing is allocated before the first image.
struct ClassSums: Sendable {
  private(set) var count = 0
  private let length: Int
  private var sums: [UInt64] = []
  private var squares: [UInt64] = []
  private var narrowSums: [UInt16] = []
  private var narrowSquares: [UInt32] = []
  private var narrowCount = 0

  /// 257 · 255 = 65,535 is the maximum of 16 bits.
  private static let narrowLimit = 257

  /// The maximum number of bytes per element.
  static let bytesAnElement = 2 * 8 + 2 + 4

  init(length: Int) { self.length = length }

  /// - Precondition: the number of values equals that of the sums.
  mutating func add(_ pixels: UnsafeRawBufferPointer) {
    let length = length
    precondition(pixels.count == length)
    if narrowSums.isEmpty {
      narrowSums = Array(repeating: 0, count: length)
      narrowSquares = Array(repeating: 0, count: length)
    }
    narrowSums.withUnsafeMutableBufferPointer { sums in
      narrowSquares.withUnsafeMutableBufferPointer { squares in
        guard let sums = sums.baseAddress, let squares = squares.baseAddress,
          let pixels = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        for i in 0..<length {
          let value = UInt16(pixels[i])
          sums[i] &+= value
          squares[i] &+= UInt32(value &* value)
        }
      }
    }
    count += 1
    narrowCount += 1
    if narrowCount == Self.narrowLimit { pour() }
  }

  /// - Precondition: both have the same length.
  mutating func merge(_ other: ClassSums) {
    precondition(length == other.length)
    guard other.count > 0 else { return }
    var other = other
    other.pour()
    pour()
    for i in 0..<length {
      sums[i] += other.sums[i]
      squares[i] += other.squares[i]
    }
    count += other.count
  }

  /// Every element repeated `times` in a row, to convert gray to color.
  func repeated(_ times: Int) -> ClassSums {
    var poured = self
    poured.pour()
    var wide = ClassSums(length: length * times)
    wide.count = count
    wide.sums = poured.sums.flatMap { Array(repeating: $0, count: times) }
    wide.squares = poured.squares.flatMap { Array(repeating: $0, count: times) }
    return wide
  }

  /// Every element's sums; empty if no image was added.
  func elements() -> [ExactSums] {
    guard count > 0 else { return [] }
    var poured = self
    poured.pour()
    return zip(poured.sums, poured.squares).map {
      ExactSums(count: UInt64(count), sum: $0, squares: $1)
    }
  }

  /// The sums; `nil` if no image was added.
  var totals: ClassTotals? {
    guard count > 0 else { return nil }
    var poured = self
    poured.pour()
    return ClassTotals(count: count, sums: poured.sums, squares: poured.squares)
  }

  /// Adds sums.
  ///
  /// - Returns: false, without a change, if they cannot be those of 8-bit images.
  mutating func add(_ totals: ClassTotals, limit: Int) -> Bool {
    guard totals.count > 0, limit <= 1 << 40, count + totals.count <= limit,
      totals.sums.count == length, totals.squares.count == length, totals.arePossible
    else { return false }
    pour()
    for i in 0..<length {
      sums[i] += totals.sums[i]
      squares[i] += totals.squares[i]
    }
    count += totals.count
    return true
  }

  private mutating func pour() {
    if sums.isEmpty {
      sums = Array(repeating: 0, count: length)
      squares = Array(repeating: 0, count: length)
    }
    guard narrowCount > 0 else { return }
    for i in 0..<length {
      sums[i] += UInt64(narrowSums[i])
      squares[i] += UInt64(narrowSquares[i])
      narrowSums[i] = 0
      narrowSquares[i] = 0
    }
    narrowCount = 0
  }
}

/// The exact sums of the images of one class.
package struct ClassTotals: Hashable, Sendable {
  /// The number of images.
  package var count: Int
  /// The sum and the sum of squares of each value, in the order of an image's values.
  package var sums: [UInt64]
  package var squares: [UInt64]

  package init(count: Int, sums: [UInt64], squares: [UInt64]) {
    self.count = count
    self.sums = sums
    self.squares = squares
  }

  /// False unless they can be sums of 8-bit values: x² ≤ 255 x, and (Σx)² ≤ n Σx².
  var arePossible: Bool {
    let number = UInt64(max(0, count))
    let largest: UInt64 = 255 * number
    for (sum, square) in zip(sums, squares) {
      guard sum <= largest, square <= 255 * sum else { return false }
      guard UInt128(sum) * UInt128(sum) <= UInt128(number) * UInt128(square) else { return false }
    }
    return true
  }
}
