package import AssayCore

/// A request for a review.
package struct ReviewRequest: Hashable, Sendable {
  /// One view, runs, or both, or one review by its name, as typed.
  package var subjects: [String]
  /// `nil` for what fits the subjects.
  package var order: ReviewOrder?
  /// The most samples to take; `nil` for all.
  package var limit: Int?
  /// Only samples for which this expression of the view language holds.
  package var expression: String?
  /// The seed of a random order.
  package var seed: UInt64
  /// True if the truth is the corrected one.
  package var isCorrected: Bool
  /// The review's name; `nil` for one that is made of the subjects and the order.
  package var name: String?
  /// True if a review that was made before is made anew.
  package var isFresh: Bool

  package init(
    _ subjects: [String], order: ReviewOrder? = nil, limit: Int? = nil, expression: String? = nil,
    seed: UInt64 = 0, isCorrected: Bool = false, name: String? = nil, isFresh: Bool = false
  ) {
    self.subjects = subjects
    self.order = order
    self.limit = limit
    self.expression = expression
    self.seed = seed
    self.isCorrected = isCorrected
    self.name = name
    self.isFresh = isFresh
  }

  /// The subjects as a review keeps them.
  package var subject: String { subjects.joined(separator: " ") }

  /// The typed arguments, apart from the name: the same arguments mean the same review, whatever
  /// runs were added since.
  var asked: JSONValue {
    [
      "subjects": .array(subjects.map { .string($0) }), "order": JSONValue(order?.rawValue),
      "limit": JSONValue(limit), "where": JSONValue(expression),
      "seed": .string(String(seed)), "corrected": .bool(isCorrected),
    ]
  }

  /// True if anything but the subjects is asked for.
  var hasConditions: Bool {
    order != nil || limit != nil || expression != nil || isCorrected
  }
}
