import AssayCore
import Testing

import AssayMetrics

@Suite("Arrays of precision and tables of matches")
struct PrecisionArraysTests {
  /// A random set as columns, and its tally with all matches.
  private struct Case {
    var truth = TruthColumns()
    var found = FoundColumns()
    var tally: DetectionTally

    init(seed: UInt64, _ settings: DetectionSettings) throws {
      let set = try RandomCOCO(seed: seed, .box)
      for (image, objects) in set.images.enumerated() {
        for object in objects.truth {
          if object.countsAsUnmatched { truth.unmatched.insert(truth.images.count) }
          truth.images.append(Int32(image))
          truth.classes.append(Int32(object.class))
          truth.boxes.append(object.box)
          truth.areas.append(object.area)
          truth.isCrowd.append(object.isCrowd)
        }
        for object in objects.found {
          found.images.append(Int32(image))
          found.classes.append(Int32(object.class))
          found.scores.append(object.score)
          found.boxes.append(object.box)
        }
      }
      tally = try DetectionTally.matching(
        classCount: set.classCount, images: set.images.count, truth: truth, found: found, settings,
        keepsPairs: true)
    }
  }

  @Test("Each curve is that of the scores, and −1 where a class has no object", arguments: 0..<20)
  func curves(_ seed: UInt64) throws {
    let settings = DetectionSettings(maxDetections: [1, 3, 100])
    let tally = try Case(seed: seed, settings).tally
    let arrays = PrecisionArrays(tally)
    let scores = try DetectionScores(tally, ScoringSettings(intervals: nil))
    let shape = arrays.shape
    #expect(shape == [10, 101, tally.classCount, 4, 3])
    for category in 0..<shape[2] {
      for area in 0..<shape[3] {
        for (limit, most) in settings.maxDetections.enumerated() {
          for threshold in 0..<shape[0] {
            let slots = (0..<shape[1]).map {
              (((threshold * shape[1] + $0) * shape[2] + category) * shape[3] + area) * shape[4]
                + limit
            }
            let slot = ((threshold * shape[2] + category) * shape[3] + area) * shape[4] + limit
            let curve = scores.precisionRecall(
              class: category, threshold: threshold, area: area, most: most)
            let undefined = Array(repeating: -1.0, count: shape[1])
            #expect(slots.map { arrays.precision[$0] } == curve?.precision ?? undefined)
            #expect(slots.map { arrays.scores[$0] } == curve?.scores ?? undefined)
            #expect(arrays.recall[slot] == curve?.recall ?? -1)
          }
        }
      }
    }
  }

  @Test("The table has every detection and the object of each, by row", arguments: 0..<20)
  func matches(_ seed: UInt64) throws {
    let settings = DetectionSettings()
    let one = try Case(seed: seed, settings)
    let table = MatchTable(one.tally, truth: one.truth, found: one.found)
    #expect(Set(table.truths).count == one.truth.images.count)
    let working = 0
    var row = 0
    for image in 0..<one.tally.count {
      let firstTruth = one.truth.images.firstIndex(of: Int32(image)) ?? 0
      let firstFound = one.found.images.firstIndex(of: Int32(image)) ?? 0
      for result in one.tally[image].results {
        #expect(table.founds[row] == Int32(firstFound + result.found))
        #expect(table.foundImages[row] == Int32(image))
        #expect(table.foundClasses[row] == Int32(result.class) && table.scores[row] == result.score)
        let slot = row * table.areas * table.thresholds
        let object = table.matches[slot + working]
        #expect(object == result.truth.map { Int32(firstTruth + $0) } ?? -1)
        for threshold in 0..<table.thresholds {
          let isIgnored = result.ignored >> UInt64(threshold) & 1 == 1
          #expect(table.isIgnored[slot + threshold] == isIgnored)
          let isMatched = result.matched >> UInt64(threshold) & 1 == 1
          let match = table.matches[slot + threshold]
          let counts = match >= 0 && !one.truth.unmatched.contains(Int(match))
          #expect(counts == isMatched)
        }
        row += 1
      }
    }
    #expect(row == table.founds.count)
    for (place, truth) in table.truths.enumerated() where one.truth.isCrowd[Int(truth)] {
      let flags = table.isTruthIgnored[place * table.areas..<(place + 1) * table.areas]
      #expect(flags.allSatisfy { $0 })
    }
  }

  @Test("The same tally without pairs has the same scores")
  func plain() throws {
    let one = try Case(seed: 3, DetectionSettings())
    let plain = try DetectionTally.matching(
      classCount: one.tally.classCount, images: one.tally.count, truth: one.truth,
      found: one.found)
    #expect(PrecisionArrays(plain) == PrecisionArrays(one.tally))
    #expect(plain[0].results == one.tally[0].results)
  }
}
