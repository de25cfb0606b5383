/// Sets of classes, one per sample, packed to one bit per class.
package struct LabelSets: Sendable, Equatable {
  /// The number of classes *k*.
  package let classCount: Int
  /// The number of sets.
  package private(set) var count = 0
  /// 64 classes per word, the lowest ordinal in the lowest bit; each set starts a new word.
  private var words: [UInt64] = []

  /// Creates an empty list of sets.
  ///
  /// - Precondition: `classCount` is at least 1.
  init(classCount: Int) { self.classCount = classCount }

  /// The number of words per set.
  private var wordCount: Int { (classCount + 63) / 64 }

  /// The ordinals of a set in ascending order.
  package subscript(sample: Int) -> [Int] {
    var ordinals: [Int] = []
    forEach(in: sample) { ordinals.append($0) }
    return ordinals
  }

  /// Returns whether the set of a sample contains the class with an ordinal in `0..<classCount`.
  package func contains(_ category: Int, in sample: Int) -> Bool {
    words[sample * wordCount + category / 64] >> UInt64(category % 64) & 1 == 1
  }

  /// The number of classes in the set of a sample.
  package func size(of sample: Int) -> Int {
    var size = 0
    for word in sample * wordCount..<(sample + 1) * wordCount {
      size += words[word].nonzeroBitCount
    }
    return size
  }

  /// Returns whether a sample's set equals that of another value.
  func isEqual(at sample: Int, _ other: LabelSets) -> Bool {
    let range = sample * wordCount..<(sample + 1) * wordCount
    return words[range] == other.words[range]
  }

  /// Calls `body` with each ordinal of a set in ascending order.
  func forEach(in sample: Int, _ body: (Int) -> Void) {
    for place in 0..<wordCount {
      var word = words[sample * wordCount + place]
      while word != 0 {
        body(place * 64 + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
  }

  /// Calls `body` with each class in either of two sets, of the same number of classes, in
  /// ascending order, and with flags for the sets that contain it.
  func forEach(
    in sample: Int, or otherSample: Int, of other: LabelSets,
    _ body: (_ category: Int, _ isOwn: Bool, _ isOther: Bool) -> Void
  ) {
    for place in 0..<wordCount {
      let own = words[sample * wordCount + place]
      let others = other.words[otherSample * wordCount + place]
      var word = own | others
      while word != 0 {
        let shift = word.trailingZeroBitCount
        body(place * 64 + shift, own >> UInt64(shift) & 1 == 1, others >> UInt64(shift) & 1 == 1)
        word &= word - 1
      }
    }
  }

  /// Adds an empty set.
  mutating func appendEmpty() {
    for _ in 0..<wordCount { words.append(0) }
    count += 1
  }

  /// Adds a class, with an ordinal in `0..<classCount`, to the last set.
  mutating func insertIntoLast(_ category: Int) {
    words[(count - 1) * wordCount + category / 64] |= 1 << UInt64(category % 64)
  }

  /// Appends one set of another value with the same number of classes.
  mutating func append(_ sample: Int, of other: LabelSets) {
    words += other.words[sample * wordCount..<(sample + 1) * wordCount]
    count += 1
  }

  /// Appends all sets of another value with the same number of classes.
  mutating func append(contentsOf other: LabelSets) {
    words += other.words
    count += other.count
  }

  /// Reserves memory for more sets.
  mutating func reserve(_ more: Int) { words.reserveCapacity(words.count + more * wordCount) }
}
