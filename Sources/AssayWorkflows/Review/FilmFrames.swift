package import AssayCore
package import AssayStore

/// The films whose frames are samples of a review.
///
/// A sample is a frame if its source states so (`frame` and `track`, as for `assay import film.mov`). In a dataset whose
/// objects have tracks, samples are also frames if their names differ in the number at the end only (`frame_000010`).
package struct FilmFrames: Sendable {
  /// A sample with its place in its film.
  package struct Frame: Hashable, Sendable {
    package var sample: Int64
    package var number: Int
    package var seconds: Double?
  }

  /// The frames of a film in their order.
  package struct Film: Hashable, Sendable {
    package var name: String
    package var frames: [Frame]
  }

  private let films: [Film]
  private let places: [Int64: (film: Int, index: Int)]

  /// - Parameters:
  ///   - samples: of one dataset.
  ///   - fields: the fields of some samples by their index.
  ///   - hasTracks: whether objects of the dataset have tracks.
  init(_ samples: [SampleRecord], fields: [Int: [JSONValue.Member]], hasTracks: Bool) {
    var named: [String: [Frame]] = [:]
    for (index, sample) in samples.enumerated() {
      let own = JSONValue.object(fields[index] ?? [])
      if case .integer(let frame)? = own["frame"], let number = Int(exactly: frame),
        let track = own["track"]?.text
      {
        named[track, default: []].append(
          Frame(sample: sample.id, number: number, seconds: own["time"]?.double))
      } else if hasTracks, let (name, number) = Self.numbered(sample.key) {
        named[name, default: []].append(Frame(sample: sample.id, number: number))
      }
    }
    films = named.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { name, frames in
      Film(name: name, frames: frames.sorted { ($0.number, $0.sample) < ($1.number, $1.sample) })
    }
    var places: [Int64: (film: Int, index: Int)] = [:]
    for (film, one) in films.enumerated() {
      for (index, frame) in one.frames.enumerated() { places[frame.sample] = (film, index) }
    }
    self.places = places
  }

  /// The film of a sample, and the sample's index in it; `nil` if it is no frame.
  package func place(of sample: Int64) -> (film: Film, index: Int)? {
    places[sample].map { (films[$0.film], $0.index) }
  }

  /// Returns samples in the order of the dataset, in which the frames of a film follow each other from its first sample
  /// on.
  func inOrder(_ samples: [SampleRecord]) -> [SampleRecord] {
    let first = films.map { film in film.frames.map(\.sample).min() ?? 0 }
    func key(_ id: Int64) -> (Int64, Int) {
      places[id].map { (first[$0.film], $0.index) } ?? (id, 0)
    }
    return samples.sorted { key($0.id) < key($1.id) }
  }

  /// Returns the parts of a key before and in the number at the end of its name: `a/frame_` and 10 of
  /// `a/frame_000010.png`.
  static func numbered(_ key: String) -> (name: String, number: Int)? {
    let name = key.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
    let digits = stem.reversed().prefix { ("0"..."9").contains($0) }.count
    guard digits > 0, let number = Int(stem.suffix(digits)) else { return nil }
    return (String(key[..<stem.endIndex].dropLast(digits)) + "*", number)
  }
}

extension FilmFrames {
  /// Reads the fields of samples from the catalog.
  ///
  /// - Parameter hasTracks: whether objects of the dataset have tracks; `nil` to look for them.
  package init(
    _ samples: [SampleRecord], of dataset: DatasetRecord, hasTracks: Bool? = nil,
    in catalog: Catalog
  ) throws {
    var fields: [Int: [JSONValue.Member]] = [:]
    if try catalog.hasSampleFields(in: dataset.id) {
      try catalog.forEachFields(of: samples.map(\.id)) { index, own in
        if own.contains(where: { $0.name == "track" }) { fields[index] = own }
      }
    }
    let hasTracks =
      try hasTracks
      ?? (dataset.regions > 0 && catalog.knownFields(in: dataset).contains { $0.name == "track" })
    self.init(samples, fields: fields, hasTracks: hasTracks)
  }

  /// True if there are none.
  package var isEmpty: Bool { films.isEmpty }

  /// Returns whether all of some samples are frames; false for no samples.
  func areAll(_ samples: [SampleRecord]) -> Bool {
    !samples.isEmpty && samples.allSatisfy { places[$0.id] != nil }
  }
}
