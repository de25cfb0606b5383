import AssayCore
import AssayMetrics
import Testing

@Suite struct ImageMatchesTests {
  private static func truth(_ x: Double, _ width: Double, isCrowd: Bool = false) -> TruthObject {
    let box = Box(x: x, y: 0, width: width, height: 10)
    return TruthObject(class: 0, box: box, area: box.area, isCrowd: isCrowd)
  }

  private static func found(_ x: Double, _ width: Double, _ score: Double) -> FoundObject {
    let box = Box(x: x, y: 0, width: width, height: 10)
    return FoundObject(class: 0, score: score, box: box, area: box.area)
  }

  private static func match(
    _ truth: [TruthObject], _ found: [FoundObject], _ settings: DetectionSettings = .init()
  ) throws -> [RankedResult] {
    try ImageMatches(truth: truth, found: found, settings).results
  }

  @Test("A detection is matched at the thresholds that its overlap reaches")
  func thresholds() throws {
    // 72 of 100 pixels shared, and no others: 0.72 reaches 0.5, 0.55, … 0.7, five of ten.
    let results = try Self.match([Self.truth(0, 10)], [Self.found(0, 7.2, 0.9)])
    #expect(results.map(\.matched) == [0b1_1111])
    #expect(results.map(\.ignored) == [0])
    #expect(results.map(\.truth) == [0])
  }

  @Test("Equal scores rank as given, and of equal overlaps the later object is taken")
  func ties() throws {
    let results = try Self.match(
      [Self.truth(0, 10), Self.truth(0, 10)],
      [Self.found(0, 10, 0.5), Self.found(0, 10, 0.9), Self.found(0, 10, 0.5)])
    #expect(results.map(\.found) == [1, 0, 2])
    #expect(results.map(\.rank) == [0, 1, 2])
    #expect(results.map(\.truth) == [1, 0, nil])
    #expect(results[2].matched == 0)
  }

  @Test("A crowd takes any number of detections, which are then neither right nor wrong")
  func crowds() throws {
    // Over the area of only the detection, each overlap is 1.
    let matches = try ImageMatches(
      truth: [Self.truth(0, 100, isCrowd: true)],
      found: [Self.found(0, 10, 0.9), Self.found(20, 10, 0.8)], DetectionSettings())
    #expect(matches.results.map(\.truth) == [0, 0])
    #expect(matches.results.map(\.ignored) == [0x3FF, 0x3FF])
    #expect(matches.countable(class: 0) == 0)
  }

  @Test("An object that must be found is taken before a crowd that overlaps more")
  func crowdLast() throws {
    // 6 of 10 with the object, 10 of 10 with the crowd: it matches the crowd only if 0.6 is not
    // enough.
    let results = try Self.match(
      [Self.truth(0, 100, isCrowd: true), Self.truth(0, 6)], [Self.found(0, 10, 0.9)])
    #expect(results[0].truth == 1)
    #expect(results[0].matched == 0x3FF)
    #expect(results[0].ignored == 0x3FF & ~0b111)
  }

  @Test("Touching is no overlap, and nothing without size overlaps anything")
  func touching() throws {
    var settings = DetectionSettings()
    settings.iouThresholds = [1e-9]
    settings.workingIoU = 1e-9
    let results = try Self.match(
      [Self.truth(0, 10), Self.truth(30, 0)], [Self.found(10, 10, 0.9), Self.found(30, 0, 0.8)],
      settings)
    #expect(results.map(\.matched) == [0, 0])
  }

  @Test("Detections beyond the most of a class are left out")
  func most() throws {
    var settings = DetectionSettings()
    settings.maxDetections = [1, 2]
    let matches = try ImageMatches(
      truth: [], found: [0.1, 0.3, 0.2].map { Self.found(0, 10, $0) }, settings)
    #expect(matches.results.map(\.found) == [1, 2])
    #expect(matches.foundCount == 3)
  }

  @Test("A working IoU that is no threshold has a bit of its own, behind the others")
  func working() throws {
    var settings = DetectionSettings()
    settings.workingIoU = 0.3
    // 4 of 10.
    let results = try Self.match([Self.truth(0, 10)], [Self.found(0, 4, 0.9)], settings)
    #expect(results[0].matched == 1 << 10)
    #expect(results[0].truth == 0)
  }

  @Test("An object that counts as unmatched is taken, but its detection is wrong")
  func unmatched() throws {
    var truth = Self.truth(0, 10)
    truth.countsAsUnmatched = true
    let results = try Self.match([truth], [Self.found(0, 10, 0.9), Self.found(0, 10, 0.8)])
    #expect(results.map(\.matched) == [0, 0])
    #expect(results.map(\.ignored) == [0, 0])
    #expect(results.map(\.truth) == [0, nil])
  }

  @Test("A class that is no class is an error")
  func classes() {
    for category in [-1, 1 << 40] {
      var truth = Self.truth(0, 10)
      truth.class = category
      #expect(throws: MetricError.self) { try Self.match([truth], []) }
    }
  }

  @Test("Settings that nothing can be matched with are an error that says so")
  func settings() {
    let wrong: [(DetectionSettings.Problem, (inout DetectionSettings) -> Void)] = [
      (.thresholds, { $0.iouThresholds = [] }), (.thresholds, { $0.iouThresholds = [1.5] }),
      (.thresholds, { $0.iouThresholds = Array(repeating: 0.5, count: 64) }),
      (.working, { $0.workingIoU = .nan }), (.areas, { $0.areaRanges = [] }),
      (.detections, { $0.maxDetections = [0] }), (.detections, { $0.maxDetections = [] }),
    ]
    for (problem, change) in wrong {
      var settings = DetectionSettings()
      change(&settings)
      #expect(throws: MetricError.detectionSettings(problem)) { try Self.match([], [], settings) }
    }
  }
}
