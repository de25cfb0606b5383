extension ConfusionMatrix {
  /// Which class was taken for which: rows truth, columns detections, the last of both the background.
  init(objects tally: ErrorTally, from score: Double) {
    let background = tally.classCount
    self.init(classCount: background + 1)
    for image in 0..<tally.count {
      let truths = tally.truths[tally.truthStarts[image]..<tally.truthStarts[image + 1]]
      var isTaken = truths.map { $0.outcome == .ignored }
      for found in tally.founds[tally.foundStarts[image]..<tally.foundStarts[image + 1]]
      where found.score >= score && found.mark != .ignored {
        guard found.anyClassTruth >= 0 else {
          add(truth: background, predicted: Int(found.class))
          continue
        }
        isTaken[Int(found.anyClassTruth)] = true
        add(
          truth: Int(truths[truths.startIndex + Int(found.anyClassTruth)].class),
          predicted: Int(found.class))
      }
      for (truth, isTaken) in zip(truths, isTaken) where !isTaken {
        add(truth: Int(truth.class), predicted: background)
      }
    }
  }
}

extension Calibration {
  /// The rule in words where detections are calibrated, to stand beside the number.
  package static let objectRule =
    "15 bins of equal width (low, high] over the detections' scores above 0, all that count"

  /// The calibration of detections that are right or wrong; `nil` where a score is outside 0...1. One of
  /// exactly 0 lies in no bin and is left out.
  init?(objects tally: ErrorTally) {
    var confidences: [Double] = []
    var isRight: [Bool] = []
    confidences.reserveCapacity(tally.founds.count)
    isRight.reserveCapacity(tally.founds.count)
    for found in tally.founds where found.mark != .ignored && found.score != 0 {
      guard found.score > 0, found.score <= 1 else { return nil }
      confidences.append(found.score)
      isRight.append(found.mark == .right)
    }
    self.init(confidences: confidences) { isRight[$0] }
  }
}
