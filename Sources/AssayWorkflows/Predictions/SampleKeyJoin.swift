import AssayStore

/// The mapping of sample keys in another program's file to the samples of a view.
///
/// Equal keys are joined first. Other keys are paths to the same file: with more folders in front,
/// with fewer, with `\`, or without the suffix. A key is joined only if exactly one sample fits.
struct SampleKeyJoin {
  /// A row of the file whose key is not equal to a sample's key.
  struct Pending {
    var row: Int
    var key: String
  }

  private let samples: [SampleRecord]
  private let view: String
  private let places: [String: Int]

  init(_ samples: [SampleRecord], view: String) {
    self.samples = samples
    self.view = view
    places = Dictionary(
      zip(samples.map(\.key), samples.indices), uniquingKeysWith: { first, _ in first })
  }

  /// The name of the file of a key, without its suffix.
  static func stem(of key: String) -> String { String(KeyPath(key).stem) }

  /// The number that the name of a sample's file is; `nil` for other names.
  static func number(of key: String) -> Int? {
    let stem = KeyPath(key).stem
    guard stem.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(stem)
  }

  /// The sample with an equal key, as an index into the view.
  func equal(to key: String) -> Int? { places[key] }

  /// The sample of each key, no sample twice.
  ///
  /// - Parameters:
  ///   - byName: true to compare only the names of the files of keys that no sample has.
  ///   - special: the sample of a key that no sample has by a rule of its own; `nil` to compare paths.
  /// - Returns: indices into the view in the order of the keys, and a note if keys were joined by path.
  /// - Throws: ``PredictionsError``; the errors of `special`.
  func places(
    of keys: [String], byName: Bool,
    special: (String) throws(PredictionsError) -> Int? = { _ throws(PredictionsError) in nil }
  ) throws(PredictionsError) -> (samples: [Int], note: String?) {
    var places = [Int](repeating: -1, count: keys.count)
    var pending: [Pending] = []
    for (row, key) in keys.enumerated() {
      if let sample = equal(to: key) {
        places[row] = sample
      } else if let sample = try special(key) {
        places[row] = sample
      } else {
        pending.append(Pending(row: row, key: key))
      }
    }
    let joined = try join(pending, byName: byName)
    for (key, sample) in zip(pending, joined.samples) { places[key.row] = sample }
    var taken: [Int: Int] = [:]
    for (row, sample) in places.enumerated() {
      if let first = taken.updateValue(row, forKey: sample) {
        throw .sampleTwice(samples[sample].key, second: "\(keys[first])” and “\(keys[row])")
      }
    }
    return (places, joined.note)
  }

  /// The samples of keys that no sample has.
  ///
  /// - Parameter byName: true to compare only the names of the files, whatever their folders.
  /// - Returns: the sample of each key, and a note with an example.
  /// - Throws: ``PredictionsError/unknownSamples(_:count:view:)``,
  ///   ``PredictionsError/ambiguousKey(_:samples:)``.
  func join(
    _ keys: [Pending], byName: Bool
  ) throws(PredictionsError) -> (samples: [Int], note: String?) {
    guard let first = keys.first else { return ([], nil) }
    var stems: [Substring: [Int]] = [:]
    for (index, sample) in samples.enumerated() {
      stems[KeyPath(sample.key).stem, default: []].append(index)
    }
    var joined: [Int] = []
    joined.reserveCapacity(keys.count)
    var unknown: [String] = []
    for pending in keys {
      let path = KeyPath(pending.key)
      let found = (stems[path.stem] ?? []).filter { index in
        byName || path.isTail(KeyPath(samples[index].key))
      }
      let exact = found.filter { KeyPath(samples[$0].key).name == path.name }
      let fitting = exact.isEmpty ? found : exact
      guard fitting.count < 2 else {
        throw .ambiguousKey(
          pending.key, samples: fitting.prefix(3).map { samples[$0].key }, byName: byName)
      }
      guard let sample = fitting.first else {
        unknown.append(pending.key)
        continue
      }
      joined.append(sample)
    }
    guard unknown.isEmpty else {
      throw .unknownSamples(Array(unknown.prefix(5)), count: unknown.count, view: view)
    }
    let count = keys.count == 1 ? "1 key was" : "\(keys.count) keys were"
    return (
      joined,
      "\(count) joined by \(byName ? "file name" : "path"): “\(first.key)” is the sample “\(samples[joined[0]].key)”"
    )
  }
}

/// A sample key as a path.
private struct KeyPath {
  private let parts: [Substring]
  /// The last part, with and without its suffix.
  let name: Substring
  let stem: Substring

  init(_ key: String) {
    parts = key.split { $0 == "/" || $0 == "\\" }.filter { $0 != "." }
    let name = parts.last ?? ""
    self.name = name
    let suffix = name.lastIndex(of: ".").map { name[$0...].dropFirst() } ?? ""
    let isSuffix =
      (1...5).contains(suffix.count) && suffix.count + 1 < name.count
      && suffix.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      // 1438.5 is a number, not a file.
      && suffix.contains(where: \.isLetter)
    stem = isSuffix ? name.dropLast(suffix.count + 1) : name
  }

  /// Returns whether the folders of one path are the last folders of the other.
  func isTail(_ other: KeyPath) -> Bool {
    zip(parts.dropLast().reversed(), other.parts.dropLast().reversed()).allSatisfy { $0 == $1 }
  }
}
