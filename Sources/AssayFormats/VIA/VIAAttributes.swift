import AssayCore
import Synchronization

/// The attributes of regions and files that VIA's annotations use, and the one that is the class.
///
/// Attributes are collected while images are found; the choice is made before annotations are read.
final class VIAAttributes: Sendable {
  /// The source of a region's class.
  enum Choice: Hashable, Sendable {
    /// An attribute of the regions.
    case region(String)
    /// An attribute of the files, for all regions of the file.
    case file(String)
    /// An attribute of the files, which is the label of the image; there are no regions.
    case label(String)
    /// One name for all regions.
    case constant(String)
    /// There are neither regions nor attributes.
    case none
  }

  private struct Values {
    var known: Set<String> = []
    var isCut = false
  }

  private struct State {
    var region: [String: Values] = [:]
    var file: [String: Values] = [:]
    var regions = 0
    /// The declared options of region attributes, in their order.
    var options: [String: [String]] = [:]
    /// The ids of the options by their names.
    var ids: [String: [String: String]] = [:]
    /// The attributes that projects of VIA 3 show as the labels of regions.
    var shown: Set<String> = []
    var choice = Choice.none
  }

  private let state = Mutex(State())

  /// The maximum number of attributes, and of values of one attribute, that are told apart.
  private static let nameLimit = 1000
  private static let valueLimit = 10_000

  /// The names of attributes, in lower case, that say that they are the class beside others.
  private static let classNames: Set<String> = [
    "class", "classes", "class_name", "classname", "label", "labels", "label_name", "category",
    "category_name",
  ]

  var choice: Choice { state.withLock { $0.choice } }

  func add(regions: Int, regionAttributes: [[JSONValue.Member]], file: [JSONValue.Member]) {
    state.withLock { state in
      state.regions += regions
      for members in regionAttributes { Self.add(members, to: &state.region) }
      Self.add(file, to: &state.file)
    }
  }

  private static func add(_ members: [JSONValue.Member], to all: inout [String: Values]) {
    for member in members {
      let values = VIAValue.names(of: member.value)
      guard !values.isEmpty, all[member.name] != nil || all.count < nameLimit else { continue }
      for value in values {
        let isFull = (all[member.name]?.known.count ?? 0) >= valueLimit
        if isFull, all[member.name]?.known.contains(value) != true {
          all[member.name]?.isCut = true
        } else {
          all[member.name, default: Values()].known.insert(value)
        }
      }
    }
  }

  /// Takes the options of a project's region attributes.
  ///
  /// - Parameter label: the attribute that the project shows as the label of a region.
  func declare(_ attributes: JSONValue?, label: String? = nil) {
    state.withLock { state in
      if let label { state.shown.insert(label) }
      for attribute in attributes?.members ?? [] {
        guard let options = attribute.value.member("options")?.members else { continue }
        state.options[attribute.name] = options.map(\.name).filter { !$0.isEmpty }
        state.ids[attribute.name] = Dictionary(
          options.compactMap { option in option.value.text.map { (option.name, $0) } },
          uniquingKeysWith: { first, _ in first })
      }
    }
  }

  /// The ids of the options of the class's attribute, by their names.
  var classIDs: [String: String] {
    state.withLock { state in
      guard case .region(let name) = state.choice else { return [:] }
      return state.ids[name] ?? [:]
    }
  }

  /// Chooses the attribute that is the class.
  ///
  /// - Parameter classes: the requested classes: the only attribute whose values are all among them is
  ///   chosen.
  /// - Returns: the classes in order, if they are declared, and a note.
  /// - Throws: ``FormatError/mismatch(name:format:reason:)`` if several attributes, or none, can be the
  ///   class.
  func choose(
    _ classes: [String]?, name: String
  ) throws(FormatError) -> (classes: [String], note: String?) {
    let state = state.withLock { $0 }
    let region = state.region.keys.sorted()
    var fitting = region
    if let classes {
      let wanted = Set(classes)
      fitting = region.filter { name in
        guard let values = state.region[name], !values.isCut else { return false }
        return values.known.isSubset(of: wanted)
      }
      if region.isEmpty, classes.count == 1, state.regions > 0 {
        set(.constant(classes[0]))
        return (classes, nil)
      }
    }
    // A project can say which attribute is the label of a region.
    if classes == nil, fitting.count > 1, state.shown.count == 1,
      let shown = state.shown.first, fitting.contains(shown)
    {
      fitting = [shown]
    }
    let named = fitting.filter { Self.classNames.contains($0.lowercased()) }
    if classes == nil, fitting.count > 1, named.count == 1 { fitting = named }
    if fitting.count == 1 {
      set(.region(fitting[0]))
      return (
        classes ?? state.options[fitting[0]] ?? [],
        region.count == 1 ? nil : "the class is the region attribute '\(fitting[0])'"
      )
    }
    if classes == nil, region.isEmpty {
      if state.file.count == 1, let only = state.file.first?.key {
        set(state.regions == 0 ? .label(only) : .file(only))
        return ([], "the class is the file attribute '\(only)'")
      }
      if state.regions == 0, state.file.isEmpty { return ([], nil) }
    }
    throw .mismatch(
      name: name, format: .via, reason: Self.problem(state, region, isGiven: classes != nil))
  }

  private func set(_ choice: Choice) { state.withLock { $0.choice = choice } }

  /// The values in the order of classes.
  private static func ordered(_ values: Values?) -> [String] {
    let names = Array(values?.known ?? [])
    return ClassOrder.sorted(names).map { names[$0] }
  }

  private static func problem(_ state: State, _ region: [String], isGiven: Bool) -> String {
    func list(_ names: [String], _ all: [String: Values]) -> String {
      let parts = names.prefix(8).map { (name: String) -> String in
        let values = ordered(all[name])
        let some = values.prefix(6).joined(separator: ", ")
        return "'\(name)' (\(some)" + (values.count > 6 ? ", … \(values.count) values)" : ")")
      }
      return parts.joined(separator: ", ")
    }
    guard region.isEmpty else {
      let values = ordered(state.region[region[0]])
      let option = values.prefix(20).joined(separator: ",") + (values.count > 20 ? ",…" : "")
      return
        (region.count == 1
        ? "its region attribute has values that --classes does not name: "
        : isGiven
          ? "the values of exactly one region attribute must all be in --classes: "
          : "it has \(region.count) region attributes, and any of them can be the class: ")
        + list(region, state.region)
        + "; name the values of one of them: --classes '\(option)'"
    }
    guard state.file.isEmpty else {
      return "its regions have no attribute, and it has \(state.file.count) file attributes: "
        + list(state.file.keys.sorted(), state.file)
        + (state.regions > 0
          ? "; name the class of all regions: --classes NAME"
          : "; it has no regions, and one file attribute would be the class of the images")
    }
    return
      "its regions have no attribute that could be their class; name the class of all regions: "
      + "--classes NAME"
  }
}

/// A value of an attribute in VIA.
enum VIAValue {
  /// The names in a value: a text, a number, or the checked options of a checkbox.
  static func names(of value: JSONValue) -> [String] {
    switch value {
    case .string(let text): text.isEmpty ? [] : [text]
    case .integer(let number): [String(number)]
    case .object(let members):
      members.filter { $0.value == .bool(true) && !$0.name.isEmpty }.map(\.name)
    default: []
    }
  }
}
