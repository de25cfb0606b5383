import AssayCore
import AssayMetrics

/// The sets of `Tests/Fixtures/metrics/make_error_goldens.py`: the same numbers in the same order.
struct RandomDetections {
  struct Image {
    var truth: [TruthObject] = []
    var found: [FoundObject] = []
  }

  let classCount: Int
  let settings: DetectionSettings
  private(set) var images: [Image] = []

  /// Every fourth set is unusual: crowds, equal scores, boxes without area, at most three
  /// detections.
  init(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    let isOdd = seed % 4 == 0
    classCount = 1 + below(4)
    settings = DetectionSettings(maxDetections: [isOdd ? 3 : 100])
    for _ in 0..<1 + below(8) {
      var image = Image()
      for _ in 0..<below(7) {
        var box = [below(60), below(60), 4 + below(40), 4 + below(40)]
        if isOdd, below(10) == 0 { box[2] = 0 }
        image.truth.append(.of(box, class: below(classCount), isCrowd: isOdd && below(6) == 0))
      }
      for _ in 0..<below(16) {
        let box: [Int]
        let category: Int
        if !image.truth.isEmpty, below(4) > 0 {
          let near = image.truth[below(image.truth.count)]
          box = [
            Int(near.box.x) + below(15) - 7, Int(near.box.y) + below(15) - 7,
            max(0, Int(near.box.width) + below(11) - 5),
            max(0, Int(near.box.height) + below(11) - 5),
          ]
          category = below(4) > 0 ? near.class : below(classCount)
        } else {
          box = [below(60), below(60), below(44), below(44)]
          category = below(classCount)
        }
        let score =
          isOdd ? Double(below(12)) / 16 : Double(below(1 << 30)) / Double(1 << 30)
        image.found.append(.of(box, class: category, score: score))
      }
      images.append(image)
    }
  }

  func tally() throws -> ErrorTally {
    var tally = ErrorTally(classCount: classCount, settings)
    for image in images {
      try tally.add(ImageErrors(truth: image.truth, found: image.found, settings))
    }
    return tally
  }
}

extension TruthObject {
  /// A box given as x, y, width, height.
  static func of(_ box: [Int], class category: Int = 0, isCrowd: Bool = false) -> TruthObject {
    let box = Box(box)
    return TruthObject(class: category, box: box, area: box.area, isCrowd: isCrowd)
  }
}

extension FoundObject {
  static func of(_ box: [Int], class category: Int = 0, score: Double) -> FoundObject {
    let box = Box(box)
    return FoundObject(class: category, score: score, box: box, area: box.area)
  }
}

extension Box {
  fileprivate init(_ numbers: [Int]) {
    self.init(
      x: Double(numbers[0]), y: Double(numbers[1]), width: Double(numbers[2]),
      height: Double(numbers[3]))
  }
}
