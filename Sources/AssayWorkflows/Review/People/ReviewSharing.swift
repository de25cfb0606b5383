package import AssayCore
package import AssayStore

/// The division of the samples of a review among people.
package struct ReviewSharing: Hashable, Sendable {
  /// A person and the weight of the person's part.
  package struct Part: Hashable, Sendable {
    package var author: String
    package var weight: Int

    package init(author: String, weight: Int = 1) {
      self.author = author
      self.weight = weight
    }
  }

  /// The share of the samples that several people correct independently, in 0...1; 0 for none.
  package var overlap: Double
  /// The people who correct the shared samples.
  package var annotators: [String]
  /// The number of people for each shared sample; `nil` for all.
  package var perSample: Int?
  /// The people among whom the other samples are divided; empty if anybody can take them.
  package var parts: [Part]

  package init(
    overlap: Double = 0, annotators: [String] = [], perSample: Int? = nil, parts: [Part] = []
  ) {
    self.overlap = overlap
    self.annotators = annotators
    self.perSample = perSample
    self.parts = parts
  }

  /// The people of the shared samples: those named, or else those of the parts.
  package var sharers: [String] { annotators.isEmpty ? parts.map(\.author) : annotators }

  /// As stored with a review.
  package var json: JSONValue {
    [
      "overlap": .number(overlap), "annotators": .array(sharers.map { .string($0) }),
      "per_sample": JSONValue(perSample),
      "assign": .array(
        parts.map { ["author": .string($0.author), "weight": JSONValue($0.weight)] }),
    ]
  }

  init?(_ json: JSONValue?) {
    guard let json, let overlap = json["overlap"]?.double else { return nil }
    self.init(
      overlap: overlap, annotators: json["annotators"]?.elements?.compactMap(\.text) ?? [],
      perSample: json["per_sample"]?.double.flatMap { Int(exactly: $0) },
      parts: json["assign"]?.elements?.compactMap { part in
        guard let author = part["author"]?.text,
          let weight = part["weight"]?.double.flatMap({ Int(exactly: $0) })
        else { return nil }
        return Part(author: author, weight: weight)
      } ?? [])
  }

  /// Gives samples to people.
  ///
  /// Shared are `overlap` of the samples, at least one, chosen at random with the seed; with
  /// `perSample` people each, these take turns. The others are divided by weight in the order of the
  /// list, so that everybody gets as many of the first ones.
  func assigned(_ entries: [ReviewDraft.Entry], seed: UInt64) -> [ReviewDraft.Entry] {
    var entries = entries
    let people = sharers
    var isShared = [Bool](repeating: false, count: entries.count)
    if overlap > 0, people.count >= 2 {
      let count = min(
        entries.count, max(1, Int((overlap * Double(entries.count)).rounded())))
      for place in Self.chosen(count, of: entries.count, seed: seed) { isShared[place] = true }
    }
    let each = min(max(perSample ?? people.count, 2), people.count)
    var turn = 0
    var credit = [Int](repeating: 0, count: parts.count)
    let total = parts.reduce(0) { $0 + $1.weight }
    for place in entries.indices {
      if isShared[place] {
        entries[place].people = (0..<each).map { people[(turn + $0) % people.count] }.sorted()
        entries[place].isShared = true
        turn += 1
      } else if total > 0 {
        for part in parts.indices { credit[part] += parts[part].weight }
        guard let most = credit.indices.max(by: { (credit[$0], $1) < (credit[$1], $0) }) else {
          continue
        }
        credit[most] -= total
        entries[place].people = [parts[most].author]
      }
    }
    return entries
  }

  /// `count` numbers below `total`: the first of a seeded permutation (Fisher and Yates).
  private static func chosen(_ count: Int, of total: Int, seed: UInt64) -> ArraySlice<Int> {
    var random = SplitMix64(seed: seed)
    var places = Array(0..<total)
    for place in 0..<count {
      let rest = UInt64(total - place)
      let other = place + Int(random.next().multipliedFullWidth(by: rest).high)
      places.swapAt(place, other)
    }
    return places.prefix(count)
  }
}

extension ReviewRecord {
  /// The division of its samples among people when it was made; `nil` if there was none.
  package var sharing: ReviewSharing? {
    ReviewSharing((try? JSONValue(parsing: settings))?["meant"]?["sharing"])
  }

  /// The last entry of the ledger when it was made: independent versions start there.
  package var base: Int64 {
    guard case .integer(let base)? = (try? JSONValue(parsing: settings))?["base"] else { return 0 }
    return base
  }

  /// The review whose differing versions it decides; `nil` for others.
  package var adjudicated: String? {
    (try? JSONValue(parsing: settings))?["adjudicates"]?.text
  }
}
