import AssayCore
import Testing

@testable import AssayStore

struct ReviewNumbersTests {
  @Test("What a run has done is known by id, ascending, without what is pending")
  func done() throws {
    let temporary = try TemporaryCatalog()
    let catalog = temporary.catalog
    try catalog.importFaces(sixFaces)
    let ids = try catalog.samples(in: catalog.resolve("faces")).map(\.id)
    let run = try catalog.createRun(
      RunDraft(
        name: "r1", dataset: catalog.dataset(named: "faces").id, view: "faces",
        classes: ["happy", "sad"], samples: [ids[3], ids[0], ids[1]]))
    try catalog.record(
      [
        SampleScores(sample: ids[3], scores: [1, 0]), SampleScores(sample: ids[0], scores: [0, 1]),
      ],
      in: run.id)
    #expect(try catalog.doneSampleIDs(of: run.id) == [ids[0], ids[3]])
  }

  @Test("Detections are chosen by their confidence, both ends taken in")
  func detections() throws {
    let temporary = try TemporaryCatalog()
    let catalog = temporary.catalog
    try catalog.importFaces(sixFaces)
    let ids = try catalog.samples(in: catalog.resolve("faces")).map(\.id)
    let run = try catalog.createRun(
      RunDraft(
        name: "det", task: .detection, dataset: catalog.dataset(named: "faces").id, view: "faces",
        classes: ["happy", "sad"], samples: ids))
    let box = Box(x: 0, y: 0, width: 1, height: 1)
    try catalog.record(
      [
        SampleDetections(
          sample: ids[1],
          detections: [
            Detection(class: 0, confidence: 0.25, box: box),
            Detection(class: 1, confidence: 0.5, box: box),
            Detection(class: 1, confidence: 0.75, box: box),
          ]),
        SampleDetections(
          sample: ids[0], detections: [Detection(class: 0, confidence: 0.375, box: box)]),
      ], in: run.id)
    let found = try catalog.detections(of: catalog.run(named: "det"), confidence: 0.25...0.5)
    #expect(
      found == [
        ScoredDetection(sample: ids[0], class: 0, confidence: 0.375),
        ScoredDetection(sample: ids[1], class: 1, confidence: 0.5),
        ScoredDetection(sample: ids[1], class: 0, confidence: 0.25),
      ])
  }
}
