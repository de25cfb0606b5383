package import AssayCore

/// A request for a review.
package struct ReviewRequest: Hashable, Sendable {
  /// One view, runs, or both, or one review by name, as typed.
  package var subjects: [String]
  /// The order; `nil` for the default of the subjects.
  package var order: ReviewOrder?
  /// The task of the editor's page, if no run decides it; `nil` for the dataset's task.
  package var task: ModelTask?
  /// The maximum number of samples; `nil` for all.
  package var limit: Int?
  /// The filter in the view language; only matching samples are included.
  package var expression: String?
  /// The seed of a random order.
  package var seed: UInt64
  /// True to use the corrected ground truth.
  package var isCorrected: Bool
  /// The review's name; `nil` to derive it from the subjects and the order.
  package var name: String?
  /// True to create an existing review again.
  package var isFresh: Bool
  /// The division of the samples among people; `nil` if anybody can take each of them.
  package var sharing: ReviewSharing?

  package init(
    _ subjects: [String], order: ReviewOrder? = nil, task: ModelTask? = nil, limit: Int? = nil,
    expression: String? = nil,
    seed: UInt64 = 0, isCorrected: Bool = false, name: String? = nil, isFresh: Bool = false,
    sharing: ReviewSharing? = nil
  ) {
    self.subjects = subjects
    self.order = order
    self.task = task
    self.limit = limit
    self.expression = expression
    self.seed = seed
    self.isCorrected = isCorrected
    self.name = name
    self.isFresh = isFresh
    self.sharing = sharing
  }

  /// The subjects as stored with a review.
  package var subject: String { subjects.joined(separator: " ") }

  /// The typed arguments, except the name: the same arguments refer to the same review, even if
  /// runs were added since.
  var asked: JSONValue {
    let members: JSONValue = [
      "subjects": .array(subjects.map { .string($0) }), "order": JSONValue(order?.rawValue),
      "limit": JSONValue(limit), "where": JSONValue(expression),
      "seed": .string(String(seed)), "corrected": .bool(isCorrected),
    ]
    return members.adding(task).adding(sharing)
  }

  /// True if anything other than subjects is given.
  var hasConditions: Bool {
    order != nil || task != nil || limit != nil || expression != nil || isCorrected
      || sharing != nil
  }
}

extension JSONValue {
  /// The object with the member `page`, the task of the editor's page, which most reviews do not have.
  func adding(_ task: ModelTask?) -> JSONValue {
    guard let task, let members else { return self }
    return .object(members + [.init("page", .string(task.rawValue))])
  }

  /// The object with the member `sharing`, which reviews of before do not have.
  func adding(_ sharing: ReviewSharing?) -> JSONValue {
    guard let sharing, let members else { return self }
    return .object(members + [.init("sharing", sharing.json)])
  }
}
