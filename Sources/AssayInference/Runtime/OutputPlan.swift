/// An output that is read, by name.
package struct ReadOutput: Hashable, Sendable {
  package let name: String
  /// The number of values per image; the maximum if it differs from image to image.
  package let count: Int
}

/// An output that is read.
struct OutputPlan: Hashable, Sendable {
  /// The output's index in the model.
  let index: Int
  /// The number of values per sample; the maximum if ``isOpen``.
  let count: Int
  /// True if the number of values differs from sample to sample; missing ones become 0.
  var isOpen = false
  /// The number of values of a row, for an output that the model gives column by column and that is read row
  /// by row; `nil` to read it in the model's order.
  var transposedWidth: Int?
  /// False if missing values are left out; only of the last output.
  var isPadded = true
  /// False if the output belongs to the one image of a model whose input has no batch dimension.
  var isBatched = true
  /// True if the values are a vector that is kept as the model gives it, before all other outputs.
  var isEmbedding = false
}

extension [OutputPlan] {
  /// The number of values before those that the task reads.
  var embeddingCount: Int { first.map { $0.isEmbedding ? $0.count : 0 } ?? 0 }
}
