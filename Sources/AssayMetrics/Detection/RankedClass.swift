/// The detections of one class in all images, by descending score; equal scores by image, then as ranked there.
struct RankedClass: Sendable {
  /// A detection, small enough to be moved while sorting.
  struct Entry: Sendable {
    /// A key that ascends as scores descend.
    var key: UInt64
    var image: UInt32
    /// ``MatchColumns/isHit`` and the number of the hit, or a bit for each area range it is in.
    var payload: UInt32

    /// The key consists of the score's bits, transformed so that integers ascend as scores descend;
    /// 0 and −0 are equal.
    init(score: Double, image: UInt32, payload: UInt32) {
      let bits = (score + 0).bitPattern
      key = bits >> 63 == 0 ? ~(bits | 1 << 63) : bits
      self.image = image
      self.payload = payload
    }
  }

  private(set) var entries: [Entry]
  /// The number of objects that must be found, by area range.
  let truths: [Int]
  /// The number of ``entries`` that match an object.
  let hitCount: Int

  /// - Parameter most: the maximum number of detections per image.
  init(_ tally: DetectionTally, _ rows: ArraySlice<ClassParts.Row>, most: Int) {
    let columns = tally.columns
    let areas = columns.areaCount
    var truths = Array(repeating: 0, count: areas)
    var hitCount = 0
    var count = 0
    for row in rows {
      count += min(most, Int(columns.parts[Int(row.part)].results))
      for area in 0..<areas {
        truths[area] += Int(columns.countable[Int(row.part) * areas + area])
      }
    }
    entries = Array(unsafeUninitializedCapacity: count) { buffer, used in
      columns.scores.withUnsafeBufferPointer { scores in
        columns.marks.withUnsafeBufferPointer { marks in
          for row in rows {
            var hit = row.hit
            let start = Int(row.result)
            for result in start..<start + min(most, Int(columns.parts[Int(row.part)].results)) {
              var payload = marks[result]
              if payload & MatchColumns.isHit != 0 {
                payload = MatchColumns.isHit | hit
                hit += 1
              }
              buffer.initializeElement(
                at: used,
                to: Entry(score: scores[result], image: row.image, payload: payload))
              used += 1
            }
            hitCount += Int(hit - row.hit)
          }
        }
      }
    }
    self.truths = truths
    self.hitCount = hitCount
    RadixSort.sort(&entries)
  }

  /// The number of entries with the same score as another one: the order of images and results
  /// ranks them.
  var tied: Int {
    var tied = 0
    var isTied = false
    for place in entries.indices.dropFirst() {
      let isEqual = entries[place].key == entries[place - 1].key
      if isEqual { tied += isTied ? 1 : 2 }
      isTied = isEqual
    }
    return tied
  }

  /// The score of an entry.
  func score(_ place: Int) -> Double {
    let key = entries[place].key
    return Double(bitPattern: key >> 63 == 0 ? ~key & ~(1 << 63) : key)
  }
}
