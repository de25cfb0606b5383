import AssayCore

/// The meaning of the values of index masks.
///
/// Masks of 8 bits have the values 0...255, of which 255 is void; those of 16 bits 0...65,535, of which
/// 65,535 is void. The other values mean the same in both.
struct IndexClasses: Sendable {
  /// The classes by value; if the set is open, every other value is one, too.
  let categories: [UInt16: Category]
  /// True if 0 is not a class.
  let hasBackground: Bool
  /// True if values without a name are separate classes, `class 7`; otherwise they are errors.
  let isOpen: Bool
  /// The canonical value of each named value: values with the same name share the lowest.
  private let named: [UInt16: UInt16]
  /// The canonical value of void pixels, and of those with an unknown value.
  private let canonicalVoid: UInt16
  /// The canonical value of each value of 8 bits, where 255 is void.
  private let standIns: [UInt8]
  /// The name that a list for masks of 8 bits gives to 255.
  private let nameOf255: String?
  /// The values of 8 bits without a meaning.
  private let isUnknown: [Bool]

  /// The value of 16 bits that is void unless a class has that name.
  static let void: UInt16 = .max
  /// The value of 8 bits that is void unless a class has that name.
  static let narrowVoid: UInt8 = .max

  /// - Parameters:
  ///   - names: the names of the named values; if empty, the set is open.
  ///   - hasBackground: whether 0 is not a class.
  ///   - nameOf255: the name that a list for masks of 8 bits gives to 255, which is void there.
  init(_ names: [UInt16: String], hasBackground: Bool, nameOf255: String? = nil) {
    self.hasBackground = hasBackground
    self.nameOf255 = nameOf255
    isOpen = names.isEmpty
    var categories: [UInt16: Category] = [:]
    var named: [UInt16: UInt16] = hasBackground ? [0: 0] : [:]
    var firsts: [String: UInt16] = [:]
    for (value, name) in names.sorted(by: { $0.key < $1.key }) {
      if hasBackground, value == 0 { continue }
      let first = firsts[name] ?? value
      named[value] = first
      guard first == value else { continue }
      firsts[name] = value
      categories[value] = Category(
        name: name, sourceID: .integer(Int64(value)), isVoid: ClassNames.isVoid(name))
    }
    self.categories = categories
    self.named = named
    let void = categories.filter { $0.value.isVoid }.keys.min() ?? Self.void
    canonicalVoid = void
    let narrowVoid = UInt8(exactly: void) ?? Self.narrowVoid
    let isOpen = self.isOpen
    isUnknown = (0...UInt16(UInt8.max)).map { value in
      !isOpen && named[value] == nil && value != UInt16(Self.narrowVoid)
    }
    standIns = (0...UInt8.max).map { value in
      if value == Self.narrowVoid { return narrowVoid }
      // A name's first value is not larger than this one.
      return named[UInt16(value)].map { UInt8($0) } ?? (isOpen ? value : narrowVoid)
    }
  }

  /// The only class; `nil` if there are several or none is named.
  var only: Category? { categories.count == 1 ? categories.values.first : nil }

  /// True if the list of classes says that 255 of 8 bits, or another value, is void.
  var isVoidNamed: Bool {
    nameOf255.map(ClassNames.isVoid) ?? false || categories.values.contains(where: \.isVoid)
  }

  /// The name of the class whose value is void in masks of 8 bits; `nil` if there is none, or if that
  /// class is void.
  var hiddenByNarrowVoid: String? {
    if let nameOf255 { return ClassNames.isVoid(nameOf255) ? nil : nameOf255 }
    guard let category = named[UInt16(Self.narrowVoid)].flatMap({ categories[$0] }),
      !category.isVoid
    else { return nil }
    return category.name
  }

  /// The class of a canonical value: a named one, void, or in an open set `class 7`.
  ///
  /// - Parameter isWide: whether the value is of a mask of 16 bits.
  func category(of value: UInt16, isWide: Bool) -> Category {
    if let category = categories[value] { return category }
    if value == Self.void {
      let id = isWide ? Int64(value) : Int64(Self.narrowVoid)
      return Category(name: "void", sourceID: .integer(id), isVoid: true)
    }
    return Category(name: "class \(value)", sourceID: .integer(Int64(value)))
  }

  /// The class of a canonical value of 8 bits.
  func category(of value: UInt8) -> Category { category(of: widened(value), isWide: false) }

  /// The canonical value of 16 bits of a canonical value of 8 bits.
  func widened(_ value: UInt8) -> UInt16 {
    value == Self.narrowVoid ? canonicalVoid : UInt16(value)
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

  /// Replaces every value of 16 bits with its canonical value.
  ///
  /// - Parameter values: the values that occur, ascending.
  /// - Returns: the unknown values.
  func unify(_ raster: inout Raster<UInt16>, values: [UInt16]) -> [UInt16] {
    var unknown: [UInt16] = []
    var table = [UInt16](repeating: 0, count: 1 << 16)
    var changes = false
    for value in values {
      let canonical: UInt16
      if value == Self.void {
        canonical = canonicalVoid
      } else if let known = named[value] {
        canonical = known
      } else if isOpen {
        canonical = value
      } else {
        unknown.append(value)
        canonical = canonicalVoid
      }
      table[Int(value)] = canonical
      changes = changes || canonical != value
    }
    if changes {
      raster.elements.withUnsafeMutableBufferPointer { pixels in
        for place in pixels.indices { pixels[place] = table[Int(pixels[place])] }
      }
    }
    return unknown
  }
}
