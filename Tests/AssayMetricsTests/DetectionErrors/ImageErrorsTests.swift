import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct ImageErrorsTests {
  private let settings = DetectionSettings()

  private func evaluate(_ truth: [TruthObject], _ found: [FoundObject]) throws -> ImageErrors {
    try ImageErrors(truth: truth, found: found, settings)
  }

  /// One object of class 0 of 10 × 10 pixels, and one detection of it.
  private func error(
    of box: [Int], class category: Int = 0
  ) throws -> FoundObjectVerdict {
    try evaluate([.of([0, 0, 10, 10])], [.of(box, class: category, score: 0.9)]).foundVerdicts[0]
  }

  @Test("A detection of its class on an object is right")
  func right() throws {
    let errors = try evaluate([.of([0, 0, 10, 10])], [.of([0, 0, 10, 8], score: 0.9)])
    // 80 of 100 pixels.
    let verdict = FoundObjectVerdict(outcome: .right, truth: 0, overlap: Double(Float(0.8)))
    #expect(errors.foundVerdicts == [verdict])
    #expect(errors.truthVerdicts == [TruthObjectVerdict(outcome: .found, found: 0)])
  }

  @Test("Each type of error has its overlap and its class")
  func types() throws {
    // 40 of 100 pixels: below the working IoU.
    #expect(try error(of: [0, 0, 10, 4]).error == .place)
    #expect(try error(of: [0, 0, 10, 8], class: 1).error == .class)
    #expect(try error(of: [0, 0, 10, 4], class: 1).error == .both)
    #expect(try error(of: [20, 20, 10, 10]).error == .background)
    // Boxes that only touch do not overlap.
    #expect(try error(of: [10, 0, 10, 10], class: 1).error == .background)
  }

  @Test("An overlap of exactly 0.1 is a place, and background in another class")
  func atTheBackground() throws {
    #expect(try error(of: [0, 0, 10, 1]).error == .place)
    #expect(try error(of: [0, 0, 10, 1], class: 1).error == .background)
  }

  @Test("An overlap of exactly the working IoU is enough")
  func atTheWorkingIoU() throws {
    #expect(try error(of: [0, 0, 10, 5]).outcome == .right)
    #expect(try error(of: [0, 0, 10, 5], class: 1).error == .class)
  }

  @Test("Of two detections on one object the surer is right and the other a duplicate")
  func duplicate() throws {
    let errors = try evaluate(
      [.of([0, 0, 10, 10])],
      [.of([0, 0, 10, 10], score: 0.4), .of([0, 0, 10, 8], score: 0.6)])
    #expect(errors.foundVerdicts.map(\.error) == [.duplicate, nil])
    #expect(errors.foundVerdicts.map(\.truth) == [0, 0])
    #expect(errors.truthVerdicts[0].found == 1)
  }

  @Test("An object about which a class or place error is, is mistaken; else it is missed")
  func missed() throws {
    let errors = try evaluate(
      [.of([0, 0, 10, 10]), .of([30, 0, 10, 10]), .of([60, 0, 10, 10])],
      [
        .of([0, 0, 10, 10], class: 1, score: 0.3), .of([0, 0, 10, 4], score: 0.7),
        .of([30, 0, 10, 4], class: 1, score: 0.9),
      ])
    #expect(errors.foundVerdicts.map(\.error) == [.class, .place, .both])
    // The better of the two is the one that is fixed.
    #expect(errors.truthVerdicts[0] == TruthObjectVerdict(outcome: .mistaken, found: 1))
    #expect(errors.founds.map(\.isFixable) == [false, true, false])
    // A detection that is wrong in both class and location explains nothing.
    #expect(errors.truthVerdicts.map(\.outcome) == [.mistaken, .missed, .missed])
    #expect(errors.truthVerdicts[1].error == .missed)
  }

  @Test(
    "A detection on a crowd of its class is neither right nor wrong, and a crowd is never missed")
  func crowd() throws {
    let truth = [
      TruthObject.of([0, 0, 100, 100], isCrowd: true), .of([50, 50, 10, 10], class: 1),
    ]
    let errors = try evaluate(
      truth,
      [
        .of([0, 0, 10, 10], score: 0.9), .of([20, 0, 10, 10], score: 0.8),
        .of([50, 50, 10, 10], score: 0.7), .of([80, 0, 10, 10], class: 1, score: 0.6),
      ])
    // Several detections are on one crowd; relative to the detection's own area they overlap it
    // completely.
    #expect(errors.foundVerdicts.map(\.outcome) == [.ignored, .ignored, .ignored, .wrong])
    #expect(errors.foundVerdicts[0].truth == 0)
    #expect(errors.foundVerdicts[0].overlap == 1)
    // A crowd of another class explains nothing.
    #expect(errors.foundVerdicts[3].error == .background)
    #expect(errors.truthVerdicts.map(\.outcome) == [.ignored, .missed])
  }

  @Test("Detections beyond the most of their class are ignored, of other classes they are not")
  func limit() throws {
    var settings = settings
    settings.maxDetections = [1, 2]
    let errors = try ImageErrors(
      truth: [.of([0, 0, 10, 10])],
      found: [
        .of([0, 0, 10, 10], score: 0.1), .of([50, 0, 10, 10], score: 0.3),
        .of([50, 0, 10, 10], score: 0.2), .of([50, 0, 10, 10], class: 1, score: 0.05),
      ], settings)
    #expect(errors.foundVerdicts.map(\.outcome) == [.ignored, .wrong, .wrong, .wrong])
    #expect(errors.truthVerdicts[0].outcome == .missed)
  }

  @Test("Equal scores rank in the given order")
  func ties() throws {
    let errors = try evaluate(
      [.of([0, 0, 10, 10])], [.of([0, 0, 10, 8], score: 0.5), .of([0, 0, 10, 10], score: 0.5)])
    #expect(errors.foundVerdicts.map(\.outcome) == [.right, .wrong])
  }

  @Test("Boxes without area, images without objects and images without detections are no trouble")
  func empty() throws {
    #expect(try evaluate([], []).foundVerdicts.isEmpty)
    #expect(
      try evaluate([], [.of([0, 0, 10, 10], score: 1)]).foundVerdicts[0].error == .background)
    #expect(try evaluate([.of([0, 0, 10, 10])], []).truthVerdicts[0].outcome == .missed)
    let flat = try evaluate([.of([0, 0, 0, 10])], [.of([0, 0, 0, 10], score: 1)])
    #expect(flat.foundVerdicts[0].error == .background)
    #expect(flat.truthVerdicts[0].outcome == .missed)
  }

  @Test("With regions their pixels overlap, not their boxes; one of another size overlaps nothing")
  func regions() throws {
    var settings = settings
    settings.overlap = .mask
    let size = ImageSize(width: 10, height: 10)
    func mask(_ box: Box, _ size: ImageSize) -> Mask { Mask(box: box, size: size) }
    let left = mask(Box(x: 0, y: 0, width: 4, height: 10), size)
    let box = Box(x: 0, y: 0, width: 10, height: 10)
    let truth = TruthObject(class: 0, box: box, area: 40, mask: left)
    func verdict(_ mask: Mask?) throws -> FoundObjectVerdict {
      try ImageErrors(
        truth: [truth], found: [FoundObject(class: 0, score: 1, box: box, area: 40, mask: mask)],
        settings
      ).foundVerdicts[0]
    }
    #expect(try verdict(left).outcome == .right)
    // 20 pixels shared of 60.
    #expect(try verdict(mask(Box(x: 2, y: 0, width: 4, height: 10), size)).error == .place)
    #expect(try verdict(mask(Box(x: 6, y: 0, width: 4, height: 10), size)).error == .background)
    let other = ImageSize(width: 20, height: 10)
    #expect(
      try verdict(mask(Box(x: 0, y: 0, width: 4, height: 10), other)).error == .background)
    #expect(try verdict(nil).error == .background)
    #expect(try verdict(Mask(emptyOf: size)).error == .background)
  }
}
