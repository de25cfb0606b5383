import AssayCore
import AssayStore

/// The way in which samples are grouped before a split: the samples of a group get into the same
/// part.
package enum SampleGrouping: Hashable, Sendable {
  /// By a regular expression that is searched in each sample's key: the group is the first capture,
  /// or the match if there is no capture.
  case pattern(String)
  /// By the values of a field of the images or an attribute of the annotations. Samples that share a value are in one group,
  /// and so are samples that are linked by others; a sample without a value is a group of its own.
  case attribute(String)

  /// Reads `REGEX`, or `@NAME` for an attribute.
  ///
  /// - Throws: ``SplitError/badPattern(_:)``, ``SplitError/noAttributeName``.
  package init(_ text: String) throws(SplitError) {
    guard !text.hasPrefix("@") else {
      guard text.utf8.count > 1 else { throw .noAttributeName }
      self = .attribute(String(text.dropFirst()))
      return
    }
    guard !text.isEmpty, (try? Regex(text)) != nil else { throw .badPattern(text) }
    self = .pattern(text)
  }

  /// The grouping as typed.
  package var text: String {
    switch self {
    case .pattern(let pattern): pattern
    case .attribute(let name): "@" + name
    }
  }
}

/// Samples in groups that a split does not divide.
struct SampleGroups {
  /// The indices of the samples of each group, in the order of the samples.
  private(set) var members: [[Int]] = []
  /// A name for each group, by which the order of the groups is drawn: the matched text, or the
  /// smallest key of its samples.
  private(set) var names: [String] = []

  /// - Throws: ``SplitError``; `StoreError`.
  init(
    _ samples: [SampleRecord], by grouping: SampleGrouping, in catalog: Catalog, view: String
  ) throws {
    switch grouping {
    case .pattern(let pattern): try group(samples, pattern)
    case .attribute(let name): try group(samples, attribute: name, in: catalog, view)
    }
  }

  private mutating func group(_ samples: [SampleRecord], _ pattern: String) throws(SplitError) {
    guard let regex = try? Regex(pattern) else { throw .badPattern(pattern) }
    var places: [String: Int] = [:]
    var unmatched: [String] = []
    for (index, sample) in samples.enumerated() {
      guard let match = try? regex.firstMatch(in: sample.key) else {
        unmatched.append(sample.key)
        continue
      }
      let captured = match.output.count > 1 ? match.output[1].substring : match.output[0].substring
      guard let captured else {
        unmatched.append(sample.key)
        continue
      }
      let name = String(captured)
      if let place = places[name] {
        members[place].append(index)
      } else {
        places[name] = names.count
        names.append(name)
        members.append([index])
      }
    }
    if let first = unmatched.first {
      throw .unmatchedKeys(pattern, count: unmatched.count, of: samples.count, example: first)
    }
  }

  private mutating func group(
    _ samples: [SampleRecord], attribute: String, in catalog: Catalog, _ view: String
  ) throws {
    var links = DisjointSets(count: samples.count)
    var first: [String: Int] = [:]
    func add(_ fields: JSONValue?, _ index: Int) {
      guard let value = fields?[attribute], value != .null else { return }
      let name = value.spelling
      if let other = first[name] { links.join(other, index) } else { first[name] = index }
    }
    try catalog.forEachFields(of: samples.map(\.id)) { add(.object($1), $0) }
    try catalog.forEachAnnotations(
      of: samples.map(\.id), geometry: false, regionsOnly: false
    ) { index, annotations in
      for text in annotations.compactMap(\.attributes) {
        add(try? JSONValue(parsing: text), index)
      }
    }
    guard !first.isEmpty else { throw SplitError.noAttribute(attribute, view: view) }
    var places: [Int: Int] = [:]
    for index in samples.indices {
      let root = links.root(of: index)
      if let place = places[root] {
        members[place].append(index)
        names[place] = min(names[place], samples[index].key)
      } else {
        places[root] = names.count
        names.append(samples[index].key)
        members.append([index])
      }
    }
  }
}
