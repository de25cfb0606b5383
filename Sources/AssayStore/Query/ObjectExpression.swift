/// A condition on one object: an annotation with a place in the image, a detection of a run, or a label of the image.
package indirect enum ObjectExpression: Hashable, Sendable {
  case all([ObjectExpression])
  case any([ObjectExpression])
  case not(ObjectExpression)
  /// - Parameter offset: the 0-based character where the field starts.
  case comparison(Field, ViewExpression.Test, offset: Int)

  /// A property of an object.
  package enum Field: Hashable, Sendable {
    case own(OwnField)
    /// An attribute by its name; `scores.happy` is also a member of the attribute `scores`.
    case attribute(ViewExpression.Word)
  }

  /// The properties that every object has; labels of the image have a class only.
  package enum OwnField: String, CaseIterable, Sendable {
    case `class`
    /// The score of a detection, in 0...1 for most models; ground truth has none.
    case confidence
    /// The box's left edge, in pixels; and so on.
    case x, y, width, height
    /// Square pixels: of the region, else of the box.
    case area
    /// True for a crowd; detections are none.
    case crowd
    /// The kind of annotation: `box`, `polygon`, `mask`, `polyline` or `points`. A detection is a `mask` if it has a
    /// region, else a `box`.
    case shape
    /// True for a detection whose score is at least the minimum of its class in the decision that the run was
    /// predicted with.
    case accepted
  }
}

extension ObjectExpression.Field {
  /// The kind of values; `nil` for an attribute, whose values are known to the catalog alone.
  var domain: ViewExpression.Subject.Domain? {
    switch self {
    case .own(.class), .own(.shape): .text
    case .own(.confidence), .own(.x), .own(.y), .own(.width), .own(.height), .own(.area): .number
    case .own(.crowd), .own(.accepted): .truth
    case .attribute: nil
    }
  }
}

extension ObjectExpression: CustomStringConvertible {
  /// The spelling in an expression: `class = person and (area > 100 or score > 0.5)`.
  package var description: String {
    switch self {
    case .all(let terms): terms.map { $0.grouped }.joined(separator: " and ")
    case .any(let terms): terms.map { $0.grouped }.joined(separator: " or ")
    case .not(let term): "not \(term.grouped)"
    case .comparison(let field, let test, _): "\(field) \(test.spelling)"
    }
  }

  private var grouped: String {
    switch self {
    case .all, .any: "(\(self))"
    case .not, .comparison: description
    }
  }
}

extension ObjectExpression.Field: CustomStringConvertible {
  package var description: String {
    switch self {
    case .own(let field): field.rawValue
    case .attribute(let name):
      ObjectExpression.OwnField(rawValue: name.text) == nil
        ? name.spelling : "attribute(\(name.spelling))"
    }
  }
}

extension ViewExpression.Test {
  /// The test as an expression spells it: `>= 0.5`, `in (a, b)`.
  fileprivate var spelling: String {
    switch self {
    case .compare(let comparator, let literal): "\(comparator.rawValue) \(literal.spelling)"
    case .among(let list): "in (\(list.map(\.spelling).joined(separator: ", ")))"
    case .within(let low, let high): "in \(low.spelling)..\(high.spelling)"
    case .like(let pattern):
      "like \"\(pattern.text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    case .field(let comparator, let other, _): "\(comparator.rawValue) \(other)"
    }
  }
}

extension ViewExpression.Literal {
  fileprivate var spelling: String {
    number == nil ? ViewExpression.Word(text: text, offset: 0).spelling : text
  }
}
