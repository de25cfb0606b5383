/// The reasons why external bytes or numbers are not a mask.
package enum MaskError: Error, Hashable {
  /// Run lengths whose sum is not width × height.
  case runSum(Int, expected: Int)
  /// A compressed string with a character outside its 64, or one that ends within a number; with
  /// the byte offset.
  case badCharacter(at: Int)
  /// A run below 0 or above the maximum; with its index.
  case badRun(at: Int)
  /// Packed geometry that is damaged.
  case damaged
}

extension MaskError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .runSum(let sum, let expected):
      "the run lengths sum to \(sum), and the image has \(expected) pixels"
    case .badCharacter(let place): "the compressed run lengths are broken at character \(place)"
    case .badRun(let place): "run length \(place) is negative or too large"
    case .damaged: "the stored shape is damaged"
    }
  }
}
