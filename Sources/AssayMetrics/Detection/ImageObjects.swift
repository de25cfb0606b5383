import AssayCore

/// The objects of one image before matching, and the memory for them; reused for one image after
/// another.
struct ImageObjects {
  /// An object of the ground truth.
  struct Truth {
    var `class`: Int32
    /// Its position as given.
    var place: UInt32
    var isCrowd: Bool
    /// True if it does not have to be found, although it is no crowd.
    var isIgnored: Bool
    var countsAsUnmatched: Bool
    var area: Double
    var box: Box
  }

  /// A detection.
  struct Found {
    var `class`: Int32
    var place: UInt32
    var score: Double
    var area: Double
    var box: Box
  }

  private(set) var truths: [Truth] = []
  private(set) var founds: [Found] = []
  /// The positions in `truths`, by class and then as given; in `founds`, by class and then by
  /// descending score.
  private var truthOrder = ClassOrder()
  private var foundOrder = ClassOrder()

  init() {}

  mutating func removeAll() {
    truths.removeAll(keepingCapacity: true)
    founds.removeAll(keepingCapacity: true)
  }

  mutating func append(_ truth: Truth) { truths.append(truth) }
  mutating func append(_ found: Found) { founds.append(found) }

  /// The objects of one class.
  struct OfClass {
    var `class`: Int32
    /// All ground-truth objects of the image.
    var truths: UnsafeBufferPointer<Truth>
    var founds: UnsafeBufferPointer<Found>
    /// The positions of those of the class, as given.
    var truthPlaces: UnsafeBufferPointer<UInt32>
    /// The positions of those of the class, by descending score.
    var foundPlaces: UnsafeBufferPointer<UInt32>
  }

  /// Calls `body` for each class that has objects or detections, in ascending order.
  ///
  /// - Parameter classCount: all classes are in `0..<classCount`.
  mutating func forEachClass(below classCount: Int, _ body: (OfClass) -> Void) {
    truths.withUnsafeBufferPointer { truths in
      founds.withUnsafeBufferPointer { founds in
        truthOrder.sort(truths.count, below: classCount) { truths[$0].class }
        foundOrder.sort(founds.count, below: classCount) { founds[$0].class }
        foundOrder.withEachClass { Self.rank($0, founds) }
        let (truthClasses, foundClasses) = (truthOrder.classes, foundOrder.classes)
        var (truth, found) = (0, 0)
        while truth < truthClasses.count || found < foundClasses.count {
          let first = truth < truthClasses.count ? truthClasses[truth] : Int32.max
          let second = found < foundClasses.count ? foundClasses[found] : Int32.max
          let category = min(first, second)
          truthOrder.places(first == category ? truth : nil) { truthPlaces in
            foundOrder.places(second == category ? found : nil) { foundPlaces in
              body(
                OfClass(
                  class: category, truths: truths, founds: founds, truthPlaces: truthPlaces,
                  foundPlaces: foundPlaces))
            }
          }
          truth += first == category ? 1 : 0
          found += second == category ? 1 : 0
        }
      }
    }
  }

  /// Sorts positions in descending order of their scores; stable.
  private static func rank(
    _ places: UnsafeMutableBufferPointer<UInt32>, _ founds: UnsafeBufferPointer<Found>
  ) {
    guard places.count <= 32 else {
      var places = places
      places.sort { first, second in
        let (a, b) = (founds[Int(first)].score, founds[Int(second)].score)
        return a == b ? first < second : a > b
      }
      return
    }
    var next = 1
    while next < places.count {
      let place = places[next]
      let score = founds[Int(place)].score
      var slot = next
      while slot > 0, founds[Int(places[slot - 1])].score < score {
        places[slot] = places[slot - 1]
        slot -= 1
      }
      places[slot] = place
      next += 1
    }
  }
}

/// Positions sorted by class; stable.
private struct ClassOrder {
  /// The classes that occur, ascending.
  private(set) var classes: [Int32] = []
  private var order: [UInt32] = []
  /// The end of each class of ``classes`` in `order`.
  private var ends: [Int] = []
  /// By class: the number of objects, then the next position to fill; all 0 between calls.
  private var slots: [UInt32] = []

  mutating func sort(_ count: Int, below classCount: Int, _ category: (Int) -> Int32) {
    if slots.count < classCount {
      slots = Array(repeating: 0, count: classCount)
    }
    classes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    for place in 0..<count {
      let category = category(place)
      if slots[Int(category)] == 0 { classes.append(category) }
      slots[Int(category)] += 1
    }
    classes.sort()
    var end: UInt32 = 0
    for category in classes {
      let start = end
      end += slots[Int(category)]
      slots[Int(category)] = start
      ends.append(Int(end))
    }
    if order.count < count { order = Array(repeating: 0, count: count) }
    for place in 0..<count {
      let category = Int(category(place))
      order[Int(slots[category])] = UInt32(place)
      slots[category] += 1
    }
    for category in classes { slots[Int(category)] = 0 }
  }

  /// The positions of one class, by its number in ``classes``; none for `nil`.
  func places(_ number: Int?, _ body: (UnsafeBufferPointer<UInt32>) -> Void) {
    guard let number else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    let start = number == 0 ? 0 : ends[number - 1]
    order.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[start..<ends[number]]))
    }
  }

  mutating func withEachClass(_ body: (UnsafeMutableBufferPointer<UInt32>) -> Void) {
    order.withUnsafeMutableBufferPointer { order in
      var start = 0
      for end in ends {
        body(UnsafeMutableBufferPointer(rebasing: order[start..<end]))
        start = end
      }
    }
  }
}
