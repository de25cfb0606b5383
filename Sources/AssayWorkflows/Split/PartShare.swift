/// A part of a partition and its share of the samples.
package struct PartShare: Hashable, Sendable {
  package var name: String
  /// The share in units of ``scale``, exactly as written in decimal.
  package var weight: Int

  /// The sum of the weights of all parts: nine decimal places.
  package static let scale = 1_000_000_000

  package init(name: String, weight: Int) {
    self.name = name
    self.weight = weight
  }

  /// Reads `fit=0.8,held=0.2`.
  ///
  /// - Throws: ``SplitError`` if the text is not such a list, if a name occurs twice, or if the
  ///   shares do not add up to 1.
  package static func parse(_ text: String) throws(SplitError) -> [PartShare] {
    var parts: [PartShare] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = piece.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, let weight = weight(of: sides[1]), !sides[0].isEmpty else {
        throw .badPart(String(piece))
      }
      let name = String(sides[0])
      guard !parts.contains(where: { $0.name == name }) else { throw .partTwice(name) }
      parts.append(PartShare(name: name, weight: weight))
    }
    let sum = parts.reduce(0) { $0 + $1.weight }
    guard sum == scale else { throw .sharesNotWhole(text) }
    return parts
  }

  /// A decimal number greater than 0 and at most 1 with at most nine decimal places, in units of
  /// ``scale``.
  private static func weight(of text: Substring) -> Int? {
    let sides = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = sides.count == 2 ? String(sides[1]) : ""
    guard digits.count <= 9, (sides[0] + digits).utf8.allSatisfy({ 48...57 ~= $0 }),
      !(sides[0] + digits).isEmpty,
      let value = Int(sides[0] + digits + String(repeating: "0", count: 9 - digits.count)),
      value > 0, value <= scale
    else { return nil }
    return value
  }
}

/// The reasons why a partition cannot be created.
package enum SplitError: Error, Hashable {
  case badPart(String)
  case partTwice(String)
  case sharesNotWhole(String)
  case noSamples(String)
  /// A regular expression that cannot be read, or an empty one.
  case badPattern(String)
  /// `@` without a name.
  case noAttributeName
  /// Keys that a regular expression does not match.
  case unmatchedKeys(String, count: Int, of: Int, example: String)
  /// An attribute that no annotation of the view has.
  case noAttribute(String, view: String)
  /// Fewer groups than parts.
  case tooFewGroups(String, groups: Int, parts: Int)
  /// A part that gets no group.
  case emptyPart(String, groups: Int)
}

extension SplitError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badPart(let text):
      "invalid part “\(text)”: expected NAME=SHARE, with shares above 0 and at most nine decimal "
        + "places: fit=0.8,held=0.2"
    case .partTwice(let name): "duplicate part “\(name)”"
    case .sharesNotWhole(let text): "the shares of “\(text)” do not add up to 1"
    case .noSamples(let view): "\(view) has no samples to split"
    case .badPattern(let pattern):
      "invalid regular expression “\(pattern)”; for example --group-by '^(subject[0-9]+)_'"
    case .noAttributeName: "“@” needs the name of an attribute: --group-by @track"
    case .unmatchedKeys(let pattern, let count, let all, let example):
      "“\(pattern)” does not match \(count) of \(all) sample keys (\(example)\(count > 1 ? ", …" : "")), "
        + "so their group is unknown; change the expression so that it matches every key"
    case .noAttribute(let name, let view):
      "no image of \(view) has the field “\(name)”, and no annotation the attribute; "
        + "assay fields lists those of images, assay sql 'SELECT DISTINCT attributes FROM annotation' those of annotations"
    case .tooFewGroups(let grouping, let groups, let parts):
      "“\(grouping)” makes \(groups) \(groups == 1 ? "group" : "groups"), and \(parts) parts need at "
        + "least \(parts)"
    case .emptyPart(let part, let groups):
      "the part “\(part)” would be empty: its share is smaller than each of the \(groups) groups; "
        + "give it a larger share"
    }
  }
}
