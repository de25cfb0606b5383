/// The outputs of a classifier that gives the number of the class, guessed from element types and shapes.
struct ClassNumberGuess: Equatable {
  /// The output with the numbers of classes, by index; `nil` if ``allScores`` has more.
  var labels: Int?
  /// The output with a score for each of these numbers.
  var scores: Int?
  /// The output with a score for each class, which makes the number of the best one needless.
  var allScores: Int?

  /// The element types of numbers of classes: narrower ones are rather quantized scores.
  private static let types: Set = ["i32", "i64", "u32", "u64"]

  /// - Parameter isBatched: false if the model takes one image without a batch dimension.
  init?(_ outputs: [TensorSignature], isBatched: Bool) {
    let lengths = outputs.map { output in
      output.shape.map { Array($0.dropFirst(isBatched ? 1 : 0).filter { $0 != 1 }) }
    }
    func isList(_ place: Int) -> Bool { lengths[place].map { $0.count <= 1 } ?? false }
    guard
      let labels = outputs.indices.first(where: {
        Self.types.contains(outputs[$0].element) && isList($0)
      })
    else { return nil }
    let others = outputs.indices.filter { !outputs[$0].isInteger && isList($0) }
    if lengths[labels]?.isEmpty == true {
      if let place = others.first(where: { lengths[$0]?.isEmpty == false }) {
        allScores = place
        return
      }
      scores = others.first
    } else {
      // Several numbers alone can be anything.
      guard let place = others.first(where: { lengths[$0] == lengths[labels] }) else { return nil }
      scores = place
    }
    self.labels = labels
  }
}
