import AssayCore

/// A record that is a `tf.train.Example`: lists of byte strings, floats or integers by name.
///
/// Source: TensorFlow's `example.proto` and `feature.proto`.
struct TFExample: Sendable {
  enum Kind: Sendable {
    case bytes
    case floats
    case integers
  }

  private struct Feature {
    var kind: Kind
    /// The places of the lists' messages; more than one if a writer split them.
    var lists: [Range<Int>]
  }

  private let bytes: [UInt8]
  private let features: [String: Feature]
  /// The names of the features, sorted.
  let keys: [String]

  /// - Throws: ``TFRecordProblem`` if the bytes are something else.
  init(_ bytes: [UInt8]) throws {
    var features: [String: Feature] = [:]
    try bytes.withUnsafeBytes { all in
      var example = WireReader(all, 0..<all.count)
      while let (field, value) = try example.next() {
        if field == 2, case .bytes = value {
          throw TFRecordProblem("it is a tf.train.SequenceExample, which is not read")
        }
        guard field == 1, case .bytes(let range) = value else {
          throw TFRecordProblem("it is no tf.train.Example")
        }
        var map = WireReader(all, range)
        while let (field, value) = try map.next() {
          guard field == 1, case .bytes(let entry) = value else { continue }
          guard let (key, feature) = try Self.entry(all, entry) else { continue }
          features[key] = feature
          guard features.count <= TFRecordLimits.features else {
            throw TFRecordProblem("it has more than \(TFRecordLimits.features) features")
          }
        }
      }
    }
    self.bytes = bytes
    self.features = features
    keys = features.keys.sorted()
  }

  /// A name with its feature; `nil` for a feature without values.
  private static func entry(
    _ all: UnsafeRawBufferPointer, _ range: Range<Int>
  ) throws -> (String, Feature)? {
    var key = ""
    var feature: Feature?
    var reader = WireReader(all, range)
    while let (field, value) = try reader.next() {
      guard case .bytes(let part) = value else { continue }
      if field == 1 {
        guard let text = String(validating: all[part], as: UTF8.self) else {
          throw TFRecordProblem("the name of a feature is not UTF-8")
        }
        key = text
      } else if field == 2 {
        var list = WireReader(all, part)
        while let (field, value) = try list.next() {
          guard case .bytes(let place) = value else { continue }
          let kind: Kind
          switch field {
          case 1: kind = .bytes
          case 2: kind = .floats
          case 3: kind = .integers
          default: continue
          }
          if feature?.kind == kind {
            feature?.lists.append(place)
          } else {
            feature = Feature(kind: kind, lists: [place])
          }
        }
      }
    }
    return feature.map { (key, $0) }
  }

  /// The kind of a feature's values; `nil` if there is no such feature.
  func kind(_ key: String) -> Kind? { features[key]?.kind }

  /// The byte strings of a feature; `nil` if it has none of these.
  ///
  /// - Throws: ``TFRecordProblem`` for damaged lists and those over ``TFRecordLimits/values``.
  func byteStrings(_ key: String) throws -> [ArraySlice<UInt8>]? {
    guard let feature = features[key], feature.kind == .bytes else { return nil }
    var found: [ArraySlice<UInt8>] = []
    try bytes.withUnsafeBytes { all in
      for list in feature.lists {
        var reader = WireReader(all, list)
        while let (field, value) = try reader.next() {
          guard field == 1, case .bytes(let range) = value else { continue }
          try Self.check(found.count)
          found.append(bytes[range])
        }
      }
    }
    return found
  }

  /// The first byte string of a feature; `nil` if there is none, or the list is damaged.
  func firstBytes(_ key: String) -> ArraySlice<UInt8>? {
    guard let feature = features[key], feature.kind == .bytes else { return nil }
    return bytes.withUnsafeBytes { all in
      for list in feature.lists {
        var reader = WireReader(all, list)
        while let (field, value) = try? reader.next() {
          if field == 1, case .bytes(let range) = value { return bytes[range] }
        }
      }
      return nil
    }
  }

  /// The first byte string of a feature if it begins as image files do.
  func image(_ key: String) -> ArraySlice<UInt8>? {
    firstBytes(key).flatMap { EmbeddedImagePlace.suffix($0) == nil ? nil : $0 }
  }

  /// The texts of a feature; `nil` if it has no byte strings. A string that is not UTF-8 is `nil`.
  ///
  /// - Throws: ``TFRecordProblem`` for damaged lists and those over ``TFRecordLimits/values``.
  func texts(_ key: String) throws -> [String?]? {
    try byteStrings(key)?.map { String(validating: $0, as: UTF8.self) }
  }

  /// The integers of a feature; `nil` if it has none of these.
  ///
  /// - Throws: ``TFRecordProblem`` for damaged lists and those over ``TFRecordLimits/values``.
  func integers(_ key: String) throws -> [Int64]? {
    guard let feature = features[key], feature.kind == .integers else { return nil }
    var found: [Int64] = []
    try bytes.withUnsafeBytes { all in
      for list in feature.lists {
        var reader = WireReader(all, list)
        while let (field, value) = try reader.next() {
          guard field == 1 else { continue }
          switch value {
          case .number(let number):
            try Self.check(found.count)
            found.append(Int64(bitPattern: number))
          case .bytes(let range):
            var packed = WireReader(all, range)
            while !packed.isAtEnd {
              try Self.check(found.count)
              found.append(Int64(bitPattern: try packed.varint()))
            }
          }
        }
      }
    }
    return found
  }

  /// The numbers of a feature, floats or integers; `nil` if it has neither.
  ///
  /// - Throws: ``TFRecordProblem`` for damaged lists and those over ``TFRecordLimits/values``.
  func numbers(_ key: String) throws -> [Double]? {
    guard let feature = features[key], feature.kind == .floats else {
      return try integers(key)?.map(Double.init)
    }
    var found: [Double] = []
    try bytes.withUnsafeBytes { all in
      for list in feature.lists {
        var reader = WireReader(all, list)
        while let (field, value) = try reader.next() {
          guard field == 1 else { continue }
          switch value {
          case .number(let number):
            try Self.check(found.count)
            found.append(Double(Float(bitPattern: UInt32(truncatingIfNeeded: number))))
          case .bytes(let range):
            guard range.count % 4 == 0 else { throw TFRecordProblem("“\(key)” is damaged") }
            for place in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
              try Self.check(found.count)
              let bits = all.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian
              found.append(Double(Float(bitPattern: bits)))
            }
          }
        }
      }
    }
    return found
  }

  /// The values of a feature as JSON: texts, numbers or integers; `nil` if there is no such feature, or a
  /// value has no JSON.
  ///
  /// - Throws: ``TFRecordProblem`` for damaged lists and those over ``TFRecordLimits/values``.
  func values(_ key: String) throws -> [JSONValue]? {
    switch kind(key) {
    case .bytes?:
      let texts = try texts(key) ?? []
      guard texts.allSatisfy({ $0 != nil }) else { return nil }
      return texts.compactMap { $0.map { .string($0) } }
    case .integers?: return try integers(key)?.map { .integer($0) }
    case .floats?:
      let numbers = try numbers(key) ?? []
      guard numbers.allSatisfy(\.isFinite) else { return nil }
      return numbers.map { .number($0) }
    case nil: return nil
    }
  }

  private static func check(_ count: Int) throws {
    guard count < TFRecordLimits.values else {
      throw TFRecordProblem("a feature has more than \(TFRecordLimits.values) values")
    }
  }
}
