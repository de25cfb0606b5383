import AssayCore
import Foundation

/// Tensors of an ONNX file whose values are in other files (“external data”), as PyTorch exports them by
/// default: the file with the values in place, so that OpenVINO opens no file that the model names; or, if that file
/// would be larger than protobuf allows, with references to the values in memory.
///
/// Source of the field numbers and keys: onnx/onnx.proto of ONNX 1.22 (`TensorProto`, `external_data`).
struct ONNXExternalTensors {
  /// Values in another file.
  struct Reference: Hashable {
    /// The path below the model's folder.
    var location: String
    var offset: Int
    /// The number of bytes.
    var length: Int
  }

  /// A part of the rewritten file.
  private enum Piece {
    case range(Range<Int>)
    case literal([UInt8])
    case values(Reference)

    var count: Int {
      switch self {
      case .range(let range): range.count
      case .literal(let bytes): bytes.count
      case .values(let reference): reference.length
      }
    }
  }

  /// The form of the values in the rewritten file.
  private enum Form {
    case inPlace
    /// Tensors without values.
    case empty
    /// References to memory from this address on.
    case memory(UInt)
  }

  private typealias Size = (_ tensor: String, _ location: String) throws(ONNXFault) -> Int

  private let bytes: [UInt8]
  private let pieces: [Piece]

  /// The references in the file's order; empty if all values are in the file.
  let references: [Reference]
  /// The size of the rewritten file in bytes.
  let count: Int
  /// The alignment of each tensor's values in memory, in bytes.
  private static let alignment = 64

  /// - Parameters:
  ///   - size: gives the size of a file below the model's folder, or refuses it.
  /// - Throws: ``ONNXFault``.
  init(
    _ bytes: [UInt8], size: (_ tensor: String, _ location: String) throws(ONNXFault) -> Int
  ) throws(ONNXFault) {
    self.bytes = bytes
    pieces = try Self.pieces(of: bytes, .inPlace, size)
    references = pieces.compactMap { piece in
      if case .values(let reference) = piece { reference } else { nil }
    }
    count = pieces.reduce(0) { $0 + $1.count }
  }

  /// The file with all values in place.
  ///
  /// - Parameter read: fills memory with the values of a reference; throws if the file has become shorter.
  func inlined(
    read: (Reference, UnsafeMutableRawBufferPointer) throws(InferenceError) -> Void
  ) throws(InferenceError) -> [UInt8] {
    var failure: InferenceError?
    let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      for piece in pieces {
        let target = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<(filled + piece.count)])
        switch piece {
        case .range(let range):
          bytes.withUnsafeBytes {
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range]))
          }
        case .literal(let bytes): target.copyBytes(from: bytes)
        case .values(let reference):
          do throws(InferenceError) { try read(reference, target) } catch {
            failure = error
            return
          }
        }
        filled += piece.count
      }
    }
    if let failure { throw failure }
    return result
  }

  /// The file with its values in memory, for sizes that a file in protobuf cannot have.
  ///
  /// - Parameters:
  ///   - path: the path of the file, for messages.
  ///   - size: as of the initializer.
  ///   - read: as of ``inlined(read:)``.
  /// - Returns: the file with references to memory; the file without the values, to check it; the memory; and the
  ///   hash of the file with the values in place, hexadecimal.
  func inMemory(
    _ path: String,
    size: (_ tensor: String, _ location: String) throws(ONNXFault) -> Int,
    read: (Reference, UnsafeMutableRawBufferPointer) throws(InferenceError) -> Void
  ) throws(InferenceError) -> (
    bytes: [UInt8], checked: [UInt8], memory: TensorMemory, hash: String
  ) {
    let length = references.reduce(0) { $0 + Self.padded($1.length) }
    let memory = TensorMemory(count: length, alignment: Self.alignment)
    var hash = ContentHash()
    var next = 0
    for piece in pieces {
      switch piece {
      case .range(let range):
        bytes.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[range])) }
      case .literal(let bytes): bytes.withUnsafeBytes { hash.update($0) }
      case .values(let reference):
        let target = UnsafeMutableRawBufferPointer(
          rebasing: memory.bytes[next..<(next + reference.length)])
        try read(reference, target)
        hash.update(UnsafeRawBufferPointer(target))
        next += Self.padded(reference.length)
      }
    }
    let address = UInt(bitPattern: memory.bytes.baseAddress)
    do throws(ONNXFault) {
      return (
        try Self.joined(Self.pieces(of: bytes, .memory(address), size), bytes),
        try Self.joined(Self.pieces(of: bytes, .empty, size), bytes), memory, hash.hexadecimal()
      )
    } catch {
      throw .onnxRefused(path: path, error)
    }
  }

  private static func padded(_ length: Int) -> Int {
    (length + alignment - 1) / alignment * alignment
  }

  /// The bytes of pieces without values.
  private static func joined(_ pieces: [Piece], _ bytes: [UInt8]) -> [UInt8] {
    pieces.flatMap { piece in
      switch piece {
      case .range(let range): bytes[range]
      case .literal(let bytes): bytes[...]
      case .values: [UInt8]()[...]
      }
    }
  }

  private static func pieces(
    of bytes: [UInt8], _ form: Form, _ size: Size
  ) throws(ONNXFault) -> [Piece] {
    var next = 0
    return try rewritten(.model, bytes, bytes.indices, depth: 0, form, &next, size)
      ?? [.range(bytes.indices)]
  }

  /// A message with the values of its tensors in another form; `nil` if it needs no change.
  ///
  /// - Parameter next: the number of bytes of memory before the next values.
  private static func rewritten(
    _ message: ONNXGuard.Message, _ bytes: [UInt8], _ range: Range<Int>, depth: Int,
    _ form: Form, _ next: inout Int, _ size: Size
  ) throws(ONNXFault) -> [Piece]? {
    guard depth < ONNXGuard.depthLimit else { throw .tooDeep(limit: ONNXGuard.depthLimit) }
    if message == .tensor { return try tensor(bytes, range, form, &next, size) }
    var pieces: [Piece] = []
    var isChanged = false
    var reader = ProtobufReader(bytes, in: range)
    var start = reader.offset
    while let field = try reader.next() {
      defer { start = reader.offset }
      if let child = message.child(field.number), case .bytes(let inner) = field.value,
        let changed = try rewritten(child, bytes, inner, depth: depth + 1, form, &next, size)
      {
        isChanged = true
        pieces.append(.literal(try header(field.number, pieces: changed)))
        pieces += changed
      } else if case .range(let last) = pieces.last, last.upperBound == start {
        pieces[pieces.count - 1] = .range(last.lowerBound..<reader.offset)
      } else {
        pieces.append(.range(start..<reader.offset))
      }
    }
    return isChanged ? pieces : nil
  }

  /// A tensor with its values as `raw_data` (9) instead of `external_data` (13) and `data_location` (14).
  private static func tensor(
    _ bytes: [UInt8], _ range: Range<Int>, _ form: Form, _ next: inout Int, _ size: Size
  ) throws(ONNXFault) -> [Piece]? {
    var reader = ProtobufReader(bytes, in: range)
    var pieces: [Piece] = []
    var name = ""
    var entries: [String: String] = [:]
    var isExternal = false
    var (elements, type): (Int?, UInt64) = (1, 0)
    var start = reader.offset
    while let field = try reader.next() {
      defer { start = reader.offset }
      switch (field.number, field.value) {
      case (13, .bytes(let entry)):
        isExternal = true
        if let (key, value) = try self.entry(bytes, entry) { entries[key] = value }
        continue
      case (14, .varint(let place)):
        isExternal = isExternal || place != 0
        continue
      case (9, _): continue
      case (8, .bytes(let text)): name = ONNXGuard.text(bytes, text)
      case (1, .varint(let length)): elements = product(elements, length)
      case (1, .bytes(let packed)): elements = try product(elements, bytes, packed)
      case (2, .varint(let value)): type = value
      default: break
      }
      pieces.append(.range(start..<reader.offset))
    }
    guard isExternal else { return nil }
    let reference = try reference(entries, name, elements, type, size)
    switch form {
    case .inPlace:
      pieces.append(.literal(ProtobufWriting.header(9, count: reference.length)))
      pieces.append(.values(reference))
    case .empty: break
    // OpenVINO takes neither the address 0 nor no values as a reference to memory.
    case .memory where reference.length == 0:
      pieces.append(.literal(ProtobufWriting.header(9, count: 0)))
    case .memory(let base):
      let entries = [
        ("location", "*/_ORT_MEM_ADDR_/*"), ("offset", "\(base + UInt(next))"),
        ("length", "\(reference.length)"),
      ]
      for (key, value) in entries { pieces.append(.literal(entryField(key, value))) }
      pieces.append(.literal(ProtobufWriting.varint(14 << 3) + [1]))
    }
    next += padded(reference.length)
    return pieces
  }

  /// A field `external_data` (13) with a key and a value.
  private static func entryField(_ key: String, _ value: String) -> [UInt8] {
    let entry =
      ProtobufWriting.header(1, count: key.utf8.count) + Array(key.utf8)
      + ProtobufWriting.header(2, count: value.utf8.count) + Array(value.utf8)
    return ProtobufWriting.header(13, count: entry.count) + entry
  }

  private static func reference(
    _ entries: [String: String], _ name: String, _ elements: Int?, _ type: UInt64,
    _ size: Size
  ) throws(ONNXFault) -> Reference {
    let location = entries["location"] ?? ""
    func refusal(_ reason: String) -> ONNXFault {
      .externalData(tensor: name, location: location, reason: reason)
    }
    guard !location.isEmpty else { throw refusal("it does not name the file") }
    let parts = location.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." || $0 == "*" }),
      !location.utf8.contains(0), location.utf8.count <= 4096
    else { throw refusal("the path is not below the model's folder") }
    let total = try size(name, location)
    guard let offset = Int(entries["offset"] ?? "0"), offset >= 0, offset <= total,
      let length = entries["length"].map({ Int($0) }) ?? (total - offset), length >= 0,
      length <= total - offset
    else {
      throw refusal(
        "the file has \(total) bytes, and the values are said to begin at \(entries["offset"] ?? "0")"
          + (entries["length"].map { " and to take \($0)" } ?? ""))
    }
    guard let width = widths[type] else {
      throw refusal("values of the ONNX type \(type) in another file are not read")
    }
    guard let elements, elements <= Int.max / width, elements * width == length else {
      throw refusal(
        "its shape does not need \(length) bytes"
          + (elements.map { ", but \($0) values of \(width)" } ?? ""))
    }
    return Reference(location: location, offset: offset, length: length)
  }

  /// The number of bytes of a value by ONNX's number of its type.
  private static let widths: [UInt64: Int] = [
    1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 12: 4, 13: 8, 16: 2, 17: 1,
    18: 1, 19: 1, 20: 1,
  ]

  private static func product(_ value: Int?, _ length: UInt64) -> Int? {
    guard let value, let length = Int(exactly: length) else { return nil }
    let (product, overflow) = value.multipliedReportingOverflow(by: length)
    return overflow ? nil : product
  }

  /// The product with lengths in packed form.
  private static func product(
    _ value: Int?, _ bytes: [UInt8], _ range: Range<Int>
  ) throws(ONNXFault) -> Int? {
    var value = value
    var number: UInt64 = 0
    var shift: UInt64 = 0
    for place in range {
      guard shift < 64 else { throw .malformed(offset: place) }
      number |= UInt64(bytes[place] & 0x7F) << shift
      shift += 7
      if bytes[place] & 0x80 == 0 {
        value = product(value, number)
        (number, shift) = (0, 0)
      }
    }
    return value
  }

  /// The key and the value of a `StringStringEntryProto`; `nil` if either is no text.
  private static func entry(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(ONNXFault) -> (key: String, value: String)? {
    var reader = ProtobufReader(bytes, in: range)
    var (key, value): (String?, String?) = (nil, nil)
    while let field = try reader.next() {
      guard case .bytes(let inner) = field.value else { continue }
      let text = String(validating: bytes[inner], as: UTF8.self)
      if field.number == 1 { key = text }
      if field.number == 2 { value = text }
    }
    guard let key, let value else { return nil }
    return (key, value)
  }

  private static func header(_ number: Int, pieces: [Piece]) throws(ONNXFault) -> [UInt8] {
    var count = 0
    for piece in pieces {
      let (sum, overflow) = count.addingReportingOverflow(piece.count)
      guard !overflow else { throw .malformed(offset: 0) }
      count = sum
    }
    return ProtobufWriting.header(number, count: count)
  }
}

/// Memory with values of tensors, which a model that OpenVINO has read refers to.
package final class TensorMemory: @unchecked Sendable {
  /// The values, which change only before the first model is read from them.
  let bytes: UnsafeMutableRawBufferPointer

  init(count: Int, alignment: Int) {
    bytes = .allocate(byteCount: max(count, alignment), alignment: alignment)
  }

  deinit { bytes.deallocate() }
}

/// The files beside a model that its tensors name.
struct ExternalFiles {
  /// The model's folder, without links.
  private let folder: String

  /// - Parameter path: the model's path.
  init(besideModel path: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    self.folder = folder.resolvingSymlinksInPath().path
  }

  /// The size of a file in bytes, if it is a regular file below the folder.
  ///
  /// - Throws: ``ONNXFault/externalData(tensor:location:reason:)``.
  func size(_ tensor: String, _ location: String) throws(ONNXFault) -> Int {
    var status = stat()
    guard let path = path(of: location) else {
      throw .externalData(
        tensor: tensor, location: location, reason: "a link leads out of the model's folder")
    }
    guard stat(path, &status) == 0 else {
      throw .externalData(
        tensor: tensor, location: location,
        reason: errno == ENOENT
          ? "the file is missing; it belongs beside the model" : String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .externalData(
        tensor: tensor, location: location, reason: "it is not a regular file")
    }
    return Int(status.st_size)
  }

  /// Reads values.
  ///
  /// - Throws: ``InferenceError/unreadable(path:reason:)``, also if the file has become shorter.
  func read(
    _ reference: ONNXExternalTensors.Reference, into target: UnsafeMutableRawBufferPointer
  ) throws(InferenceError) {
    let path = path(of: reference.location) ?? folder + "/" + reference.location
    try FileBytes.fill(target, from: path, at: reference.offset)
  }

  /// The path of a location without links; `nil` if it is not below the folder.
  private func path(of location: String) -> String? {
    let whole = folder + "/" + location
    guard let resolved = realpath(whole, nil) else { return errno == ENOENT ? whole : nil }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return path.hasPrefix(folder + "/") ? path : nil
  }
}
