package import AssayCore

/// A NumPy array in a `.npy` file: its header, and its values on demand.
///
/// Arrays of numbers, booleans and texts are read; arrays of objects, which are pickles, never.
/// Source: NumPy's `numpy/lib/format.py` (NEP 1).
package struct NPYArray {
  /// The kind of an element.
  enum Element: Hashable {
    /// IEEE 754 numbers of 2, 4 or 8 bytes.
    case float(bytes: Int)
    case integer(bytes: Int, isSigned: Bool)
    case flag
    /// Texts of UTF-32 characters, padded with zeros.
    case text(characters: Int)
    /// Texts of UTF-8 bytes, padded with zeros.
    case bytes(count: Int)

    var size: Int {
      switch self {
      case .float(let bytes), .integer(let bytes, _): bytes
      case .flag: 1
      case .text(let characters): 4 * characters
      case .bytes(let count): count
      }
    }

    var isNumber: Bool {
      switch self {
      case .float, .integer, .flag: true
      case .text, .bytes: false
      }
    }
  }

  static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  /// The maximum length of the header in bytes, as in NumPy.
  private static let headerLimit = 10_000
  /// The maximum number of bytes of a text.
  private static let textLimit = 1 << 16

  /// The name in errors: of the file or of the array in its archive.
  package let name: String
  let element: Element
  /// The data type as NumPy writes it: `<f4`.
  let descriptor: String
  /// The lengths of the axes.
  package let shape: [Int]
  /// True if the first axis varies fastest.
  package let isFortran: Bool
  private let isBigEndian: Bool
  private let start: Int
  private let tree: any SourceTree
  private let path: String

  /// Reads the header of an array.
  ///
  /// - Throws: ``FormatError``; any error that the tree throws.
  init(_ tree: any SourceTree, _ file: SourceFile, name: String) throws {
    func refuse(_ problem: String) -> FormatError { .predictions(name, problem: problem) }
    (self.tree, path, self.name) = (tree, file.path, name)
    var head = [UInt8](repeating: 0, count: Self.headerLimit + 12)
    let filled = try SourceContent.readHead(tree, file.path, into: &head)
    head = Array(head.prefix(filled))
    guard head.starts(with: Self.magic), head.count >= 10 else {
      throw refuse("this is not a NumPy array (.npy)")
    }
    guard (1...3).contains(head[6]) else {
      throw refuse("unknown version \(head[6]) of the .npy format; expected 1, 2 or 3")
    }
    let fields: NPYHeader.Fields
    do throws(NPYFault) { fields = try NPYHeader.fields(of: head) } catch {
      throw refuse("the header is damaged: it \(error)")
    }
    start = fields.length
    let (descr, shape) = (fields.type, fields.shape)
    guard descr.hasPrefix("'"), descr.count >= 4 else {
      throw refuse(
        "the array has the structured data type \(descr.prefix(80)); save one array per field")
    }
    descriptor = String(descr.dropFirst().dropLast())
    guard let element = Self.element(descriptor) else {
      throw refuse(
        descriptor.hasSuffix("O") || descriptor.hasPrefix("|O")
          ? "the array has objects, which are pickled and never read; save texts with "
            + "np.array(keys, dtype=str), numbers with .astype(np.float32)"
          : "unsupported data type \(descriptor); expected float16, 32 or 64, integers or texts")
    }
    self.element = element
    isBigEndian = descriptor.hasPrefix(">")
    self.shape = shape
    isFortran = fields.isFortran && shape.count > 1
    var size = element.size
    for side in shape {
      let (next, overflow) = size.multipliedReportingOverflow(by: side)
      guard !overflow else { throw refuse("the shape \(Self.text(shape)) is too large") }
      size = next
    }
    guard file.size - start >= size else {
      throw refuse(
        "the file ends too early: the shape \(Self.text(shape)) needs \(size) bytes, and there are "
          + "\(max(0, file.size - start)); copy it again")
    }
  }

  /// The maximum number of arrays in a file.
  private static let arrayLimit = 1000

  /// The arrays of a file: one of `.npy`, all of `.npz`, with their names in the archive; `""` for `.npy`.
  ///
  /// - Throws: ``FormatError``; any error that the tree throws.
  package static func arrays(
    _ tree: any SourceTree, _ source: SourceFile
  ) throws -> [(name: String, array: NPYArray)] {
    var head = [UInt8](repeating: 0, count: 6)
    _ = try SourceContent.readHead(tree, source.path, into: &head)
    if head == NPYArray.magic {
      return [("", try NPYArray(tree, source, name: source.path))]
    }
    let archive = try ArchiveTree(.zip, tree, source)
    let files = try archive.files().filter { $0.path.hasSuffix(".npy") }
    guard !files.isEmpty else {
      throw FormatError.predictions(
        source.path, problem: "this is a ZIP archive without arrays (.npy), not a NumPy file")
    }
    guard files.count <= arrayLimit else {
      throw FormatError.predictions(
        source.path, problem: "it has \(files.count) arrays, the limit is \(arrayLimit)")
    }
    return try files.map { file in
      let name = String(file.path.dropLast(4))
      return (name, try NPYArray(archive, file, name: name))
    }
  }

  /// A shape as Python writes it.
  static func text(_ shape: [Int]) -> String {
    "(" + shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? ",)" : ")")
  }

  private static func element(_ descriptor: String) -> Element? {
    guard let order = descriptor.first, "<>|=".contains(order) else { return nil }
    let kind = descriptor.dropFirst().first
    guard let size = Int(descriptor.dropFirst(2)), size >= 0 else { return nil }
    switch kind {
    case "f": return [2, 4, 8].contains(size) ? .float(bytes: size) : nil
    case "i", "u":
      return [1, 2, 4, 8].contains(size) ? .integer(bytes: size, isSigned: kind == "i") : nil
    case "b": return size == 1 ? .flag : nil
    case "U": return size <= textLimit ? .text(characters: size) : nil
    case "S": return size <= textLimit ? .bytes(count: size) : nil
    default: return nil
    }
  }

  /// The number of values of a row: an element of the first axis.
  package var rowWidth: Int { shape.dropFirst().reduce(1, *) }

  /// True if it holds numbers or truth values.
  package var holdsNumbers: Bool { element.isNumber }

  /// Passes the rows to `body`, each with its values in order; an array in Fortran's order has at most two axes.
  ///
  /// - Throws: ``FormatError``; any error that `body` or the tree throws.
  package func forEachRow(_ body: (_ row: Int, _ values: ArraySlice<Double>) throws -> Void) throws
  {
    guard let rows = shape.first, rows > 0 else { return }
    let width = rowWidth
    let step = max(1, min(rows, (1 << 18) / max(1, width)))
    var values: [Double] = []
    for first in stride(from: 0, to: rows, by: step) {
      let count = min(step, rows - first)
      if isFortran {
        values = [Double](repeating: 0, count: count * width)
        for column in 0..<width {
          let part = try numbers(from: column * rows + first, count: count)
          for (row, value) in part.enumerated() { values[row * width + column] = value }
        }
      } else {
        values = try numbers(from: first * width, count: count * width)
      }
      for row in 0..<count { try body(first + row, values[(row * width)..<((row + 1) * width)]) }
    }
  }

  /// The numbers from an element on.
  private func numbers(from first: Int, count: Int) throws -> [Double] {
    let bytes = try read(from: first, count: count)
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map { Self.number(bytes, at: $0 * element.size, element, isBigEndian) }
    }
  }

  private static func number(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ element: Element, _ isBigEndian: Bool
  ) -> Double {
    let size = element.size
    var bits: UInt64 = 0
    for place in 0..<size {
      bits = bits << 8 | UInt64(bytes[offset + (isBigEndian ? place : size - 1 - place)])
    }
    switch element {
    case .float(2): return Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
    case .float(4): return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .float: return Double(bitPattern: bits)
    case .integer(_, true):
      let shift = 64 - 8 * size
      return Double(Int64(bitPattern: bits << shift) >> shift)
    case .integer, .flag: return Double(bits)
    case .text, .bytes: return .nan
    }
  }

  /// The texts of an array with one axis.
  ///
  /// - Throws: ``FormatError``; any error that the tree throws.
  func texts() throws -> [String] {
    guard shape.count == 1, let count = shape.first else {
      throw FormatError.predictions(
        name, problem: "expected texts with the shape (n,), found \(Self.text(shape))")
    }
    let size = element.size
    var texts: [String] = []
    texts.reserveCapacity(count)
    let step = max(1, (1 << 20) / max(1, size))
    for first in stride(from: 0, to: count, by: step) {
      let part = min(step, count - first)
      let bytes = try read(from: first, count: part)
      for index in 0..<part {
        let field = bytes[(index * size)..<((index + 1) * size)]
        guard let text = text(field) else {
          throw FormatError.predictions(name, problem: "element \(first + index) is not a text")
        }
        texts.append(text)
      }
    }
    return texts
  }

  private func text(_ field: ArraySlice<UInt8>) -> String? {
    switch element {
    case .bytes:
      let end = field.lastIndex { $0 != 0 }.map { $0 + 1 } ?? field.startIndex
      return String(validating: field[field.startIndex..<end], as: UTF8.self)
    case .text(let characters):
      var text = String.UnicodeScalarView()
      var pending = 0
      for index in 0..<characters {
        let place = field.startIndex + 4 * index
        let quad = field[place..<(place + 4)]
        let value = (isBigEndian ? Array(quad) : quad.reversed()).reduce(UInt32(0)) {
          $0 << 8 | UInt32($1)
        }
        guard value != 0 else {
          pending += 1
          continue
        }
        guard pending == 0, let scalar = Unicode.Scalar(value) else { return nil }
        text.append(scalar)
      }
      return String(text)
    case .float, .integer, .flag: return nil
    }
  }

  private func read(from first: Int, count: Int) throws -> [UInt8] {
    let size = count * element.size
    return try [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let rest = UnsafeMutableRawBufferPointer(buffer)[filled..<size]
        let part = try tree.read(
          path, at: start + first * element.size + filled,
          into: UnsafeMutableRawBufferPointer(rebasing: rest))
        guard part > 0 else {
          throw FormatError.predictions(name, problem: "the file ends too early; copy it again")
        }
        filled += part
      }
    }
  }
}
