import AssayCore

/// The meaning of the values of index masks.
struct IndexClasses: Sendable {
  /// The classes by value; if the set is open, every other value is one, too.
  let categories: [UInt8: Category]
  /// True if 0 is not a class.
  let hasBackground: Bool
  /// True if values without a name are separate classes, `class 7`; otherwise they are errors.
  let isOpen: Bool
  /// The canonical value of each value: values with the same name share the lowest; unknown ones
  /// are void.
  private let standIns: [UInt8]
  /// The values without a meaning.
  private let isUnknown: [Bool]

  /// The value that is void unless a class has that name.
  static let void: UInt8 = 255

  /// - Parameters:
  ///   - names: the names of the named values; if empty, the set is open.
  ///   - hasBackground: whether 0 is not a class.
  init(_ names: [UInt8: String], hasBackground: Bool) {
    self.hasBackground = hasBackground
    isOpen = names.isEmpty
    var categories: [UInt8: Category] = [:]
    var standIns = (0...255).map { UInt8($0) }
    var isUnknown = Array(repeating: !names.isEmpty, count: 256)
    var firsts: [String: UInt8] = [:]
    for (value, name) in names.sorted(by: { $0.key < $1.key }) {
      isUnknown[Int(value)] = false
      if hasBackground, value == 0 { continue }
      if let first = firsts[name] {
        standIns[Int(value)] = first
        continue
      }
      firsts[name] = value
      categories[value] = Category(
        name: name, sourceID: .integer(Int64(value)), isVoid: ClassNames.isVoid(name))
    }
    if hasBackground { isUnknown[0] = false }
    isUnknown[Int(Self.void)] = false
    let void = categories.filter { $0.value.isVoid }.keys.min() ?? Self.void
    for value in 0...255 where isUnknown[value] { standIns[value] = void }
    standIns[Int(Self.void)] = void
    self.categories = categories
    self.standIns = standIns
    self.isUnknown = isUnknown
  }

  /// The only class; `nil` if there are several or none is named.
  var only: Category? { categories.count == 1 ? categories.values.first : nil }

  /// The class of a canonical value: a named one, void, or in an open set `class 7`.
  func category(of value: UInt8) -> Category {
    if let category = categories[value] { return category }
    if value == Self.void {
      return Category(name: "void", sourceID: .integer(Int64(value)), isVoid: true)
    }
    return Category(name: "class \(value)", sourceID: .integer(Int64(value)))
  }

  /// Replaces every value with its canonical value.
  ///
  /// - Parameter counts: the number of pixels of each of the 256 values.
  /// - Returns: the unknown values.
  func unify(_ raster: inout Raster<UInt8>, counts: [Int]) -> [UInt8] {
    let changes = (0..<256).contains { counts[$0] > 0 && standIns[$0] != UInt8($0) }
    if changes {
      raster.elements.withUnsafeMutableBufferPointer { pixels in
        for place in pixels.indices { pixels[place] = standIns[Int(pixels[place])] }
      }
    }
    return (0...255).filter { counts[$0] > 0 && isUnknown[$0] }.map { UInt8($0) }
  }
}
