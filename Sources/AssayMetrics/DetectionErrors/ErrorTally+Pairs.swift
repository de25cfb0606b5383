extension ConfusionMatrix {
  /// Which class was detected as which: rows ground truth, columns detections, the last of both the
  /// background.
  ///
  /// A detection that finds an object by COCO's matching counts on the diagonal, so that its sum is the number
  /// of true positives. Then each other detection, best score first, takes the object of another class that it
  /// is paired with, if no better detection has it. The rest is background.
  init(objects tally: ErrorTally, from score: Double) {
    let background = tally.classCount
    self.init(classCount: background + 1)
    for image in 0..<tally.count {
      let truths = tally.truths[tally.truthStarts[image]..<tally.truthStarts[image + 1]]
      let founds = tally.founds[tally.foundStarts[image]..<tally.foundStarts[image + 1]]
        .filter { $0.score >= score && $0.mark != .ignored }
      var isTaken = truths.map { $0.outcome == .ignored }
      for found in founds where found.mark == .right {
        isTaken[Int(found.truth)] = true
        add(truth: Int(found.class), predicted: Int(found.class))
      }
      // No two of them are paired with one object.
      for found in founds where found.mark != .right {
        let place = Int(found.confusedTruth)
        let category = place < 0 ? found.class : truths[truths.startIndex + place].class
        // Evaluations that earlier versions stored may pair it with an object that is found.
        guard category != found.class, !isTaken[place] else {
          add(truth: background, predicted: Int(found.class))
          continue
        }
        isTaken[place] = true
        add(truth: Int(category), predicted: Int(found.class))
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
