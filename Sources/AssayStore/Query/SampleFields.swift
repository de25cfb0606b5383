extension ViewExpression {
  /// A field that samples of some datasets have of their source, such as the frames of a film.
  package enum SampleField: String, CaseIterable, Sendable {
    /// The number of the frame in its film, from 0.
    case frame
    /// Seconds since the film's start.
    case time
    /// The film that a frame belongs to.
    case track

    var isText: Bool { self == .track }
  }
}

extension ViewCompiler {
  /// The value of a field as SQL over a sample `s`: a number or a text; NULL if the sample has none of that kind.
  static func value(_ field: ViewExpression.SampleField) -> Condition {
    let path = "'$.\(field.rawValue)'"
    let kinds = field.isText ? "'text'" : "'integer', 'real'"
    return Condition(
      """
      CASE WHEN s.attributes IS NOT NULL AND json_type(s.attributes, \(path)) IN (\(kinds)) \
      THEN json_extract(s.attributes, \(path)) END
      """)
  }
}
