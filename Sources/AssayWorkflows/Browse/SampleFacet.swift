/// The counts of one field over the samples of a search, from which a search can be narrowed down.
package struct SampleFacet: Hashable, Sendable {
  /// A value of a field.
  package struct Value: Hashable, Sendable {
    package var value: String
    /// The number of samples of the search that have it.
    package var count: Int
    /// The expression for the samples that have it.
    package var term: String
  }

  /// The samples whose number is at least `low` and, of whole numbers and in the last bin, at most `high`; in other
  /// bins below it.
  package struct Bin: Hashable, Sendable {
    package var low: Double
    package var high: Double
    package var count: Int
  }

  /// The meaning of a second value that is chosen. The raw value is that of the page's requests.
  package enum Selection: String, Sendable {
    /// The samples that have one of the values, by `in`: a sample has one of them at most.
    case any
    /// The samples that have the second value, instead of the first.
    case one
    /// The samples that have both.
    case all
  }

  package enum Content: Hashable, Sendable {
    /// The values with the most samples, and the number of values that are left out.
    case values([Value], more: Int)
    /// Bins between the least and the largest number of the dataset.
    case histogram([Bin])
  }

  /// The field as the view language spells it.
  package var field: String
  /// The field in words.
  package var title: String
  /// The name of the custom field that it counts; `nil` for other fields.
  package var custom: String?
  package var content: Content
  /// The number of samples of the search that have a value.
  package var count: Int
  package var selection = Selection.all
}

extension SampleFacet {
  /// The maximum number of values that a facet lists.
  static let valueLimit = 100
  /// The maximum number of custom fields that are counted, those of the most samples; and of their different texts.
  static let customLimit = 16
  static let customTextLimit = 1_000
  /// The number of bins of a histogram.
  static let binCount = 20
}
