import AssayCore
import AssayFormats

/// The requested changes of classes: merged, renamed and left out.
package struct ClassChanges: Hashable, Sendable {
  /// Classes that become one class.
  package struct Merge: Hashable, Sendable {
    package var sources: [String]
    package var target: String
    /// True if the target must not be another class of the dataset.
    var isRename: Bool
  }

  package private(set) var merges: [Merge] = []
  package private(set) var dropped: [String] = []

  package init() {}

  package var isEmpty: Bool { merges.isEmpty && dropped.isEmpty }

  /// Adds `a,b=c` or, for a rename, `a=b`.
  ///
  /// - Returns: false if the text has another form.
  package mutating func addMerge(_ text: String, isRename: Bool) -> Bool {
    guard let equals = text.lastIndex(of: "=") else { return false }
    let target = text[text.index(after: equals)...].trimmed
    let sources =
      isRename
      ? [text[..<equals].trimmed]
      : text[..<equals].split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard !target.isEmpty, !sources.contains("") else { return false }
    merges.append(Merge(sources: sources, target: target, isRename: isRename))
    return true
  }

  /// Adds `a,b`.
  ///
  /// - Returns: false if a name is empty.
  package mutating func addDropped(_ text: String) -> Bool {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard !names.contains("") else { return false }
    dropped += names
    return true
  }

  /// The name that stands for crowds in ``dropped`` if no class is called so.
  static let crowd = "crowd"

  /// Applies the changes to the classes of a dataset.
  ///
  /// - Parameter canDropCrowds: whether ``crowd`` may stand for the regions of crowds.
  /// - Throws: ``ExportError``.
  func applied(
    to classes: [Category], of dataset: String, canDropCrowds: Bool = false
  ) throws -> ClassMapping {
    let names = classes.map(\.name)
    let dropsCrowds =
      canDropCrowds && dropped.contains(Self.crowd) && !names.contains(Self.crowd)
    var target: [String: String?] = [:]
    func set(_ name: String, _ other: String?) throws {
      guard names.contains(name) else {
        throw ExportError.unknownCategory(
          name, dataset: dataset, suggestion: NearMiss.suggestion(for: name, among: names),
          known: names)
      }
      guard target.updateValue(other, forKey: name) == nil else {
        throw ExportError.classChangedTwice(name)
      }
    }
    for name in dropped where !(dropsCrowds && name == Self.crowd) { try set(name, nil) }
    for merge in merges {
      for name in merge.sources { try set(name, merge.target) }
      let isTaken = names.contains(merge.target) && !merge.sources.contains(merge.target)
      if merge.isRename, isTaken, target[merge.target] == nil {
        throw ExportError.nameTaken(merge.target, by: merge.sources[0])
      }
    }
    var mapping = ClassMapping(classes: [], ordinals: [])
    mapping.dropsCrowds = dropsCrowds
    var places: [String: Int] = [:]
    for category in classes {
      let name: String? = target[category.name] ?? category.name
      guard let name else {
        mapping.ordinals.append(nil)
        continue
      }
      if let place = places[name] {
        // What is a thing in part is not known to be one.
        if mapping.classes[place].isThing != category.isThing {
          mapping.classes[place].setThing(nil)
        }
        mapping.ordinals.append(place)
        continue
      }
      var kept = category
      kept.name = name
      places[name] = mapping.classes.count
      mapping.ordinals.append(mapping.classes.count)
      mapping.classes.append(kept)
    }
    return mapping
  }
}

/// The classes of an export, and the class of each class of the source.
struct ClassMapping: Sendable {
  var classes: [Category]
  /// For each class of the source, its ordinal in ``classes``; `nil` if it is left out.
  var ordinals: [Int?]
  /// True if the regions of crowds are left out.
  var dropsCrowds = false
  /// The number of void classes that became one by ``joinVoids()``, or got another name.
  private(set) var joinedVoids = 0

  init(classes: [Category], ordinals: [Int?]) {
    self.classes = classes
    self.ordinals = ordinals
  }

  /// States that classes are stuff.
  ///
  /// - Parameter texts: names of classes as they are written, or several with commas between.
  /// - Throws: ``ExportError/unknownCategory(_:dataset:suggestion:known:)``.
  mutating func setStuff(_ texts: [String], of dataset: String) throws(ExportError) {
    let names = classes.map(\.name)
    for text in texts {
      // A name can have commas itself.
      let chosen = names.contains(text) ? [text] : text.split(separator: ",").map(\.trimmed)
      for name in chosen {
        guard let place = names.firstIndex(of: name) else {
          throw .unknownCategory(
            name, dataset: dataset, suggestion: NearMiss.suggestion(for: name, among: names),
            known: names)
        }
        classes[place].setThing(false)
      }
    }
  }

  /// Makes all void classes one, at the end of the list.
  mutating func joinVoids() {
    let count = classes.count(where: \.isVoid)
    guard count > 0 else { return }
    let others = classes.filter { !$0.isVoid }
    var next = 0
    let places = classes.map { category -> Int in
      guard !category.isVoid else { return others.count }
      next += 1
      return next - 1
    }
    let void = Category(name: "void", isVoid: true)
    if count > 1 || !classes.contains(where: { $0.isVoid && $0.name == void.name }) {
      joinedVoids = count
    }
    classes = others + [void]
    ordinals = ordinals.map { $0.map { places[$0] } }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
