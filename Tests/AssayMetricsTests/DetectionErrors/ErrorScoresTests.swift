import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct ErrorScoresTests {
  private let settings = DetectionSettings()

  private func tally(
    classCount: Int, _ images: [(truth: [TruthObject], found: [FoundObject])]
  ) throws -> ErrorTally {
    try ErrorTally.evaluating(classCount: classCount, images: images.count, settings) { images[$0] }
  }

  @Test("Without objects, without detections and without images all costs are 0")
  func empty() throws {
    let empties: [[(truth: [TruthObject], found: [FoundObject])]] = [
      [], [([], [])], [([.of([0, 0, 5, 5])], [])], [([], [.of([0, 0, 5, 5], score: 0.5)])],
    ]
    for (index, images) in empties.enumerated() {
      let scores = try ErrorScores(tally(classCount: 2, images))
      for kind in DetectionErrorKind.allCases { #expect(scores.cost(kind).value == 0) }
      #expect(scores.averagePrecision == (index == 2 ? 0 : nil))
      #expect(scores[.ece15].value == (index == 3 ? 0.5 : nil))
      #expect(scores.perClass(.support).map(\.value) == [index == 2 ? 1 : 0, 0])
      #expect(scores.perClass(.recall)[0].value == (index == 2 ? 0 : nil))
    }
  }

  @Test("A corrected class error helps the class it belongs to")
  func classError() throws {
    // Class 0: one object, detected only as class 1. Class 1: one object, found.
    let scores = try ErrorScores(
      tally(
        classCount: 2,
        [
          ([.of([0, 0, 10, 10])], [.of([0, 0, 10, 10], class: 1, score: 0.9)]),
          (
            [.of([0, 0, 10, 10], class: 1)], [.of([0, 0, 10, 10], class: 1, score: 0.8)]
          ),
        ]))
    // Class 1 has precision 1/2 at all recalls, class 0 none: (0 + 0.5)/2. After fixing: (1 + 1)/2.
    #expect(Goldens.agree(scores.averagePrecision, 0.25))
    #expect(Goldens.agree(scores.cost(.class).value, 0.75))
    #expect(Goldens.agree(scores.perClass(.classificationErrorCost)[0].value, 1))
    #expect(scores.counts.perClass(.class) == [0, 1])
    #expect(scores.cost(.missed).value == 0)
  }

  @Test("The best threshold is the score where F1 is highest, the highest of several")
  func bestThreshold() throws {
    // Correct, wrong, correct, wrong; 3 objects. F1 after each: 2/4, 2/5, 4/6, 4/7.
    let scores = try ErrorScores(
      tally(
        classCount: 2,
        [
          (
            [.of([0, 0, 10, 10]), .of([20, 0, 10, 10]), .of([40, 0, 10, 10])],
            [
              .of([0, 0, 10, 10], score: 0.9), .of([80, 0, 10, 10], score: 0.8),
              .of([20, 0, 10, 10], score: 0.7), .of([80, 0, 10, 10], score: 0.2),
            ]
          )
        ]))
    #expect(scores.perClass(.bestF1)[0].value == 4.0 / 6)
    #expect(scores.perClass(.bestThreshold)[0].value == 0.7)
    #expect(
      scores.bestPoints[0] == WorkingPoint(score: 0.7, right: 2, wrong: 1, truths: 3))
    // From 0.3 on: two correct, one wrong.
    #expect(scores.perClass(.precision)[0].value == 2.0 / 3)
    #expect(scores.perClass(.recall)[0].value == 2.0 / 3)
    #expect(scores.perClass(.f1)[0].value == 4.0 / 6)
    #expect(scores.perClass(.support)[0].value == 3)
    #expect(scores.overall == WorkingPoint(score: 0.3, right: 2, wrong: 1, truths: 3))
    // A class with neither has no value.
    #expect(scores.perClass(.bestF1)[1].value == nil)
    #expect(scores.perClass(.bestThreshold)[1].value == nil)
  }

  @Test("A threshold cannot part equal scores")
  func tiedThreshold() throws {
    // The correct 0.5 and the wrong 0.5 count together: F1 2/(2 + 1), not 2/(1 + 1).
    let scores = try ErrorScores(
      tally(
        classCount: 1,
        [
          (
            [.of([0, 0, 10, 10])],
            [.of([0, 0, 10, 10], score: 0.5), .of([80, 0, 10, 10], score: 0.5)]
          )
        ]))
    #expect(scores.perClass(.bestF1)[0].value == 2.0 / 3)
  }

  @Test("The confusion matrix pairs what is left of other classes, the rest with the background")
  func confusion() throws {
    let tally = try tally(
      classCount: 2,
      [
        (
          [
            .of([0, 0, 10, 10]), .of([20, 0, 10, 10], class: 1), .of([40, 0, 10, 10]),
            .of([0, 50, 40, 40], isCrowd: true),
          ],
          [
            .of([0, 0, 10, 10], score: 0.9), .of([20, 0, 10, 9], score: 0.8),
            .of([20, 0, 10, 10], class: 1, score: 0.7), .of([40, 0, 10, 10], score: 0.2),
            .of([10, 60, 10, 10], score: 0.6), .of([10, 60, 10, 10], class: 1, score: 0.5),
          ]
        )
      ])
    // Rows class 0, class 1, background. The second object is matched to the detection of its
    // class, and the more confident one of class 0 is left over; the third is found only below the
    // working score; on the crowd of class 0, the detection of class 0 is left out, the one of
    // class 1 is not.
    #expect(try ErrorScores(tally).confusion?.rows == [[1, 0, 1], [0, 1, 0], [1, 1, 0]])
    #expect(
      try ErrorScores(tally, score: 0).confusion?.rows == [[2, 0, 0], [0, 1, 0], [1, 1, 0]])
    #expect(
      try ErrorScores(tally, score: 0.85).confusion?.rows == [[1, 0, 1], [0, 0, 1], [0, 0, 0]])
  }

  @Test("A true positive is on the diagonal though it overlaps an object of another class more")
  func trueFirst() throws {
    let scores = try ErrorScores(
      tally(
        classCount: 2,
        [
          (
            [.of([0, 0, 100, 100]), .of([5, 0, 100, 100], class: 1)],
            [.of([4, 0, 100, 100], score: 0.9)]
          )
        ]))
    #expect(scores.overall.right == 1)
    #expect(scores.confusion?.rows == [[1, 0, 0], [0, 0, 1], [0, 0, 0]])
  }

  @Test("An object found below the working score alone is free for another class")
  func foundBelow() throws {
    let found: [FoundObject] = [
      .of([0, 0, 10, 9], class: 1, score: 0.9), .of([0, 0, 10, 10], score: 0.2),
    ]
    let tally = try tally(classCount: 2, [([.of([0, 0, 10, 10])], found)])
    #expect(try ErrorScores(tally).confusion?.rows == [[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    #expect(
      try ErrorScores(tally, score: 0.1).confusion?.rows == [[1, 0, 0], [0, 0, 0], [0, 1, 0]])
  }

  @Test("Of two detections of another class the surer takes the object, the other one what is left")
  func secondChoice() throws {
    // Both overlap the first object most; the second overlaps both by 0.5 and more.
    let scores = try ErrorScores(
      tally(
        classCount: 2,
        [
          (
            [.of([0, 0, 10, 10]), .of([2, 0, 10, 10])],
            [
              .of([0, 0, 10, 10], class: 1, score: 0.8),
              .of([0, 0, 10, 9], class: 1, score: 0.7),
              .of([0, 0, 10, 9], class: 1, score: 0.6),
            ]
          )
        ]))
    #expect(scores.confusion?.rows == [[0, 2, 0], [0, 0, 0], [0, 1, 0]])
  }

  @Test("Diagonal, rows and columns are the true positives, objects and detections")
  func confusionSums() throws {
    for seed in 0..<200 {
      let set = RandomDetections(seed: seed)
      let scores = try ErrorScores(set.tally())
      let rows = try #require(scores.confusion?.rows)
      for (category, point) in scores.workingPoints.enumerated() {
        #expect(rows[category][category] == point.right, "seed \(seed)")
        #expect(rows[category].reduce(0, +) == point.truths, "seed \(seed)")
        #expect(
          rows.reduce(0) { $0 + $1[category] } == point.right + point.wrong, "seed \(seed)")
      }
    }
  }

  @Test("A matrix of verdicts of an earlier version has the true positives on its diagonal")
  func earlierPairs() throws {
    // The former rule was: best score first, regardless of the class. The more confident detection
    // of class 1 took the object of class 0 that one of class 0 finds.
    let image = ImageErrors(
      founds: [
        .init(
          class: 1, mark: .class, truth: 0, overlap: 0.9, confusedTruth: 0, sizes: 1, score: 0.9),
        .init(
          class: 0, mark: .right, truth: 0, overlap: 1, confusedTruth: -1, sizes: 1, score: 0.8),
      ], truths: [.init(class: 0, outcome: .found, found: 1, sizes: 1, area: 100)])
    var tally = ErrorTally(classCount: 2)
    try tally.add(image)
    let scores = try ErrorScores(tally)
    #expect(scores.confusion?.rows == [[1, 0, 0], [0, 0, 0], [0, 1, 0]])
  }

  @Test("Of equal overlaps a detection takes the object of its class")
  func confusionOfTwins() throws {
    let twins: [TruthObject] = [
      .of([0, 0, 10, 10], class: 1), .of([0, 0, 10, 10]), .of([0, 0, 10, 10], class: 1),
    ]
    let scores = try ErrorScores(
      tally(classCount: 2, [(twins, [.of([0, 0, 10, 10], score: 0.9)])]))
    #expect(scores.confusion?.rows == [[1, 0, 0], [0, 0, 2], [0, 0, 0]])
  }

  @Test("Calibration is over the detections that count, and undefined where scores are no shares")
  func calibration() throws {
    let truth: [TruthObject] = [.of([0, 0, 10, 10]), .of([50, 50, 40, 40], isCrowd: true)]
    func calibration(_ score: Double) throws -> Calibration? {
      try ErrorScores(
        tally(
          classCount: 1,
          [
            (
              truth,
              [
                .of([0, 0, 10, 10], score: 0.75), .of([0, 0, 10, 10], score: 0.25),
                .of([60, 60, 10, 10], score: score),
              ]
            )
          ])
      ).calibration
    }
    // |1 − 0.75| and |0 − 0.25|, half each; the one on the crowd is left out.
    #expect(try Goldens.agree(calibration(0.5)?.error, 0.25))
    #expect(try calibration(7)?.error == calibration(0.5)?.error)
    // A wrong detection with score 0 is in no bin, and the printed rule says so: the others remain
    // at half each.
    let zero = try tally(
      classCount: 1,
      [
        (
          truth,
          [
            .of([0, 0, 10, 10], score: 0.75), .of([0, 0, 10, 10], score: 0.25),
            .of([20, 0, 5, 5], score: 0),
          ]
        )
      ])
    #expect(try Goldens.agree(ErrorScores(zero)[.ece15].value, 0.25))
    #expect(Calibration.objectRule.contains("scores above 0"))
    let logits = try tally(classCount: 1, [(truth, [.of([0, 0, 10, 10], score: 3)])])
    #expect(try ErrorScores(logits).calibration == nil)
    #expect(try ErrorScores(logits)[.ece15].value == nil)
    #expect(try Goldens.agree(ErrorScores(logits).averagePrecision, 1))
  }

  @Test("From a score on, what is found and mistaken only below it is missed")
  func workingCounts() throws {
    let tally = try tally(
      classCount: 1,
      [
        (
          [.of([0, 0, 10, 10]), .of([20, 0, 40, 40]), .of([70, 0, 10, 10])],
          [
            .of([0, 0, 10, 10], score: 0.2), .of([20, 0, 40, 10], score: 0.4),
            .of([70, 0, 10, 10], score: 0.5), .of([0, 90, 5, 5], score: 0.1),
          ]
        )
      ])
    let scores = try ErrorScores(tally)
    #expect(DetectionErrorKind.allCases.map { scores.counts.count($0) } == [0, 1, 0, 0, 1, 0])
    #expect(
      DetectionErrorKind.allCases.map { scores.workingCounts.count($0) } == [0, 1, 0, 0, 0, 1])
    // Small and medium are the second and third range: 1,600 pixels are medium.
    #expect(scores.counts.count(.place, size: 2) == 1)
    #expect(scores.counts.count(.place, size: 1) == 0)
    #expect(scores.counts.count(.background, size: 1) == 1)
  }

  @Test("The average precision that costs start from is AP50, by class and over all")
  func ap50() throws {
    for seed in 0..<80 {
      let set = RandomDetections(seed: seed)
      let images = set.images
      let matches = try DetectionTally.matching(
        classCount: set.classCount, images: images.count, set.settings
      ) { (images[$0].truth, images[$0].found) }
      let scores = try (DetectionScores(matches), ErrorScores(set.tally()))
      #expect(Goldens.agree(scores.1.averagePrecision, scores.0[.ap50].value))
    }
  }

  @Test("Verdicts follow from matches at all thresholds as from those at the working IoU alone")
  func fromMatches() throws {
    for seed in 0..<80 {
      let set = RandomDetections(seed: seed)
      // The ninth threshold of linspace is 0.8999999999999999, which means 0.9.
      for working in [0.5, 0.75, 0.33, 0.9] {
        var settings = set.settings
        settings.workingIoU = working
        for image in set.images {
          let matches = try ImageMatches(truth: image.truth, found: image.found, settings)
          #expect(
            try ImageErrors(truth: image.truth, found: image.found, settings)
              == ImageErrors(
                truth: image.truth, found: image.found, matches: matches, settings))
        }
      }
    }
  }

  @Test("Scores of any sign rank as they are")
  func negativeScores() throws {
    // tidecv's random sets with scores from −1 to 0: the order is the same, and so is everything
    // except calibration.
    for seed in 1..<60 where seed % 4 != 0 {
      let set = RandomDetections(seed: seed)
      var tally = ErrorTally(classCount: set.classCount, set.settings)
      for image in set.images {
        let found = image.found.map { object in
          var object = object
          object.score -= 1
          return object
        }
        try tally.add(ImageErrors(truth: image.truth, found: found, set.settings))
      }
      let (scores, plain) = try (ErrorScores(tally), ErrorScores(set.tally()))
      #expect(scores.averagePrecision == plain.averagePrecision)
      for kind in DetectionErrorKind.allCases {
        #expect(scores.cost(kind) == plain.cost(kind))
        #expect(scores.counts.count(kind) == plain.counts.count(kind))
      }
      #expect(scores.perClass(.bestF1) == plain.perClass(.bestF1))
    }
  }
}
