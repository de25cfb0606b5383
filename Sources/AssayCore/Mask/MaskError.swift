/// The reasons why bytes or numbers from outside are not a mask.
package enum MaskError: Error, Hashable {
  /// Run lengths that sum to something else than width × height.
  case runSum(Int, expected: Int)
  /// A compressed string with a character that is none of its 64, or that ends within a number; the byte.
  case badCharacter(at: Int)
  /// A run below 0 or beyond what a run may be; its place.
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
