import AssayCore
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Agreement and consensus of label sets and objects")
struct AgreementTests {
  /// A review of all samples of a dataset, shared by people.
  private struct Shared {
    let merge: MergeCatalog
    let service: CorrectionService
    let review: ReviewRecord
    let items: [ReviewQueue.Item]

    init(_ merge: MergeCatalog, people: [String]) throws {
      self.merge = merge
      service = CorrectionService(
        catalog: merge.catalog,
        ledger: try Ledger.open(Ledger.path(forCatalog: merge.catalog.path), .create))
      review = try ReviewBuilder(catalog: merge.catalog).review(
        ReviewRequest(
          ["s"], order: .random, sharing: ReviewSharing(overlap: 1, annotators: people))
      ).review
      items = try ReviewQueue(catalog: merge.catalog, review: review)
        .items(from: 0, limit: .max).sorted { $0.sample.key < $1.sample.key }
    }

    func queue() throws -> ReviewQueue {
      let queue = try ReviewQueue(catalog: merge.catalog, review: review)
      try queue.loadVersions(service)
      return queue
    }

    func save(
      _ changes: CorrectionSave.Change..., to place: Int, by author: String
    ) throws {
      for (number, change) in (changes + [.accept]).enumerated() {
        _ = try service.save(
          CorrectionSave(
            uuid: UUID().uuidString.lowercased(), visit: UUID().uuidString.lowercased(),
            sample: items[place].sample, author: author, tool: "test",
            done: number == changes.count,
            version: IndependentVersion(review: review.name, author: author, base: review.base),
            change: change))
      }
    }
  }

  @Test("Sets of labels: kappa of each class, and the labels that more than half gave")
  func sets() throws {
    let merge = try MergeCatalog()
    try merge.add(
      "s", ["dog", "fog", "sky"].map { Category(name: $0) },
      [.init(key: "0.png", labels: [0]), .init(key: "1.png", labels: [1])], isMultiLabel: true)
    let shared = try Shared(merge, people: ["anna", "ben", "carla"])
    // dog + fog, dog, dog + sky: nobody's version is that of two people, and dog is everybody's.
    try shared.save(.addLabel("fog"), to: 0, by: "anna")
    try shared.save(to: 0, by: "ben")
    try shared.save(.addLabel("sky"), to: 0, by: "carla")
    for author in ["anna", "ben", "carla"] {
      try shared.save(.addLabel("sky"), .removeLabel("fog"), to: 1, by: author)
    }
    let report = try AgreementReport(AgreementSource(of: shared.queue(), shared.service))
    #expect(report.kind == .labelSets && report.samples == 2)
    #expect(report.classes.map { $0.names[0] } == ["dog", "fog", "sky"])
    // dog: all agree in both samples; fog: one of three has it in one sample.
    #expect(report.classes[0].scores[.alpha]?.value == 1)
    let half: Double = (1.0 / 3 + 1) / 2
    #expect(report.classes[1].scores[.observed]?.value == half)
    #expect(report.pairs.count == 3)
    #expect(report.ranked.first?.key == "0.png")
    let consensus = ReviewConsensus(try shared.queue(), shared.service)
    let plan = try consensus.plan()
    #expect(plan.equal == 1 && plan.majority == 1 && plan.open.isEmpty)
    #expect(try consensus.record(plan, author: "anna") == nil)
    let truth = try shared.service.truth(of: shared.items[0].sample)
    #expect(truth.labels == ["dog"] && truth.status == .done)
    #expect(truth.history.last?.remarks.consensus == "majority")
    let second = try shared.service.truth(of: shared.items[1].sample)
    #expect(second.labels == ["sky"] && second.status == .done)
  }

  @Test("Boxes: F1 and IoU of matches; boxes that are nearly the same are equal from an IoU on")
  func boxes() throws {
    let merge = try MergeCatalog()
    try merge.add(
      "s", ["dog", "cat"].map { Category(name: $0) },
      [
        .init(key: "0.png", boxes: [0], id: 1), .init(key: "1.png", boxes: [0], id: 2),
        .init(key: "2.png", boxes: [], id: 3),
      ])
    let shared = try Shared(merge, people: ["anna", "ben"])
    let target = try #require(try shared.service.truth(of: shared.items[0].sample).objects.first)
      .target
    // Anna's box is 2 × 1 pixels, ben's 2 × 0.8 of them: IoU 0.8.
    try shared.save(to: 0, by: "anna")
    try shared.save(
      .outline(
        target: target, ObjectOutline.box(Box(x: 1, y: 0, width: 2, height: 0.8))), to: 0,
      by: "ben")
    // Ben gives another class to the second one, and both find nothing in the third image.
    let other = try #require(try shared.service.truth(of: shared.items[1].sample).objects.first)
      .target
    try shared.save(to: 1, by: "anna")
    try shared.save(.category(target: other, "cat"), to: 1, by: "ben")
    for author in ["anna", "ben"] { try shared.save(to: 2, by: author) }
    let report = try AgreementReport(AgreementSource(of: shared.queue(), shared.service))
    #expect(report.kind == .regions && report.samples == 3 && report.empty == 1)
    // One match of four objects.
    #expect(report.scores[.f1]?.value == 0.5)
    let iou = try #require(report.scores[.matchedIoU]?.value)
    #expect(abs(iou - 0.8) < 1e-12)
    #expect(report.scores[.meanIoU] == nil)
    #expect(report.ranked.map(\.key) == ["1.png", "0.png", "2.png"])
    #expect(report.ranked[0].versions == ["anna": "1 dog", "ben": "1 cat"])
    let strict = try ReviewConsensus(shared.queue(), shared.service).plan()
    #expect(strict.equal == 1 && strict.open.count == 2)
    let consensus = ReviewConsensus(try shared.queue(), shared.service, iou: 0.75)
    let plan = try consensus.plan()
    #expect(plan.equal == 2 && plan.open.map(\.sample.key) == ["1.png"])
    _ = try consensus.record(plan, author: "ben")
    // The first version by name: anna's, the imported box.
    let truth = try shared.service.truth(of: shared.items[0].sample)
    #expect(truth.objects.first?.box == Box(x: 1, y: 0, width: 2, height: 1))
    #expect(truth.corrections == 0 && truth.status == .done)
  }
}
