import AssayCore

/// The positions in one class's ranked detections at which objects are found, without changes and
/// with each error type fixed, in eight draws: the basis of the average precisions.
///
/// Recall rises only at a correct detection, and between two such positions precision falls;
/// therefore only these are stored, each with the numbers of correct and wrong detections up to it.
struct FixedCurves {
  typealias Counts = SIMD8<Int32>

  /// The positions of a curve's correct and wrong counts in the storage; several curves share the
  /// correct counts.
  private struct Curve {
    var right: Int
    var wrong: Int
    var count: Int
  }

  /// The number of averages: one without changes, then one per ``DetectionErrorKind``.
  static let count = 1 + DetectionErrorKind.allCases.count

  /// The same, up to background.
  private let curves: [Curve]
  private var room: [Counts]
  /// The numbers of correct detections that were added: without changes, with classes fixed, and
  /// with boxes fixed.
  private var added = (plain: 0, classes: 0, places: 0)

  init(_ ranking: ErrorRanking) {
    let plain = ranking.rightCount
    let (classes, places) = (plain + ranking.visitorCount, plain + ranking.placeFixableCount)
    let (firstClass, firstPlace) = (5 * plain, 5 * plain + 2 * classes)
    curves = [
      Curve(right: 0, wrong: plain, count: plain),
      Curve(right: firstClass, wrong: firstClass + classes, count: classes),
      Curve(right: firstPlace, wrong: firstPlace + places, count: places),
      Curve(right: 0, wrong: 2 * plain, count: plain),
      Curve(right: 0, wrong: 3 * plain, count: plain),
      Curve(right: 0, wrong: 4 * plain, count: plain),
    ]
    room = Array(repeating: .zero, count: firstPlace + 2 * places)
  }

  /// Adds a detection that is correct, or would be once an error is fixed.
  ///
  /// - Parameters:
  ///   - counts: by kind of step, including this one.
  ///   - wrong: all wrong detections without changes.
  mutating func add(
    _ kind: ErrorRanking.Step, _ counts: UnsafeMutableBufferPointer<Counts>, wrong: Counts
  ) {
    typealias Kind = ErrorRanking.Kind
    let right = counts[Int(Kind.right)]
    if kind == Kind.right {
      room[added.plain] = right
      room[curves[0].wrong + added.plain] = wrong
      for index in 3...5 {
        room[curves[index].wrong + added.plain] = wrong &- counts[index]
      }
      added.plain += 1
    }
    if kind != Kind.placeFixable {
      room[curves[1].right + added.classes] = right &+ counts[Int(Kind.visitor)]
      room[curves[1].wrong + added.classes] = wrong &- counts[1]
      added.classes += 1
    }
    if kind != Kind.visitor {
      let fixed = counts[Int(Kind.placeFixable)]
      room[curves[2].right + added.places] = right &+ fixed
      room[curves[2].wrong + added.places] = wrong &- counts[2] &- fixed
      added.places += 1
    }
  }

  /// The average precisions of all curves, and last of the first one without the missed objects;
  /// NaN if there is no object.
  func averages(truths: Counts, withoutMissed left: Counts) -> [SIMD8<Double>] {
    var averages = Array(repeating: SIMD8<Double>(repeating: .nan), count: Self.count)
    room.withUnsafeBytes { bytes in
      let numbers = bytes.bindMemory(to: Int32.self)
      for lane in 0..<8 where truths[lane] > 0 {
        let steps = ClassCurves.steps(truths: Int(truths[lane]))
        for (index, curve) in curves.enumerated() {
          averages[index][lane] = Self.average(curve, numbers, lane: lane, steps)
        }
        if left[lane] == truths[lane] {
          averages[curves.count][lane] = averages[0][lane]
        } else if left[lane] > 0 {
          averages[curves.count][lane] = Self.average(
            curves[0], numbers, lane: lane, ClassCurves.steps(truths: Int(left[lane])))
        }
      }
    }
    return averages
  }

  /// The mean of the highest precision at or beyond each recall.
  ///
  /// - Parameter steps: the number of objects that reaches each recall.
  private static func average(
    _ curve: Curve, _ numbers: UnsafeBufferPointer<Int32>, lane: Int, _ steps: [Int]
  ) -> Double {
    let lanes = DrawWeights.lanes
    var right = lanes * (curve.right + curve.count) + lane
    var wrong = lanes * (curve.wrong + curve.count) + lane
    var (best, sum) = (0.0, 0.0)
    return steps.withUnsafeBufferPointer { steps in
      var recall = steps.count
      var index = curve.count
      while index > 0 {
        right -= lanes
        wrong -= lanes
        index -= 1
        let before = index == 0 ? 0 : Int(numbers[right - lanes])
        // The detection was not drawn.
        if Int(numbers[right]) == before { continue }
        let hits = Double(numbers[right])
        best = max(best, hits / (hits + Double(numbers[wrong]) + 0x1p-52))
        // A recall beyond all of them is never reached.
        while recall > 1, steps[recall - 1] > Int(numbers[right]) { recall -= 1 }
        while recall > 1, steps[recall - 1] > before {
          sum += best
          recall -= 1
        }
      }
      // The first recall is 0, which all detections reach.
      return (sum + best) / Double(steps.count)
    }
  }
}
