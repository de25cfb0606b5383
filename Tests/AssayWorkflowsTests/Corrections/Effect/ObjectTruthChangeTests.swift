import AssayCore
import AssayStore
import AssayTestSupport
import Testing

@testable import AssayWorkflows

@Suite("Differences between the objects of two ground truths of a sample")
struct ObjectTruthChangeTests {
  private let size = ImageSize(width: 10, height: 4)
  private let names = ["cat", "dog"]

  private func object(
    _ category: Int, _ x: Int, _ width: Int, id: Int64?, isCrowd: Bool = false
  ) -> AnnotationRecord {
    AnnotationRecord(
      ordinal: x, category: category, shape: .mask, isCrowd: isCrowd,
      sourceID: id.map { .integer($0) },
      geometry: Mask(x, 0, width, 4, in: size).compressed)
  }

  private func change(
    _ before: [AnnotationRecord], _ after: [AnnotationRecord]
  ) throws -> ObjectTruthChange {
    try ObjectTruthChange(from: before, to: after, size: size, categories: names)
  }

  @Test("The same objects in another order are not a change")
  func none() throws {
    let objects = [object(0, 0, 2, id: 1), object(1, 4, 2, id: nil), object(1, 7, 2, id: nil)]
    #expect(try change(objects, objects.reversed()) == ObjectTruthChange())
  }

  @Test("A region that grew has its IoU, and the pixels that it gained")
  func grown() throws {
    let found = try change([object(0, 0, 4, id: 1)], [object(0, 0, 5, id: 1)])
    // 16 of 20 pixels are in both.
    #expect(
      found.regions == [.init(category: "cat", iou: 0.8, added: 4, removed: 0)])
    #expect(found.changed == 1 && found.added == 0 && found.removed == 0)
  }

  @Test("A new object and one that is gone are counted, with regions that have nothing in common")
  func addedAndRemoved() throws {
    let found = try change([object(0, 0, 4, id: 1)], [object(1, 6, 2, id: nil)])
    #expect(found.added == 1 && found.removed == 1 && found.changed == 0)
    #expect(
      found.regions == [
        .init(category: "cat", iou: 0, added: 0, removed: 16),
        .init(category: "dog", iou: 0, added: 8, removed: 0),
      ])
  }

  @Test("An object with another class is one object that changed, in two regions")
  func reclassed() throws {
    let found = try change(
      [object(0, 0, 4, id: 7), object(0, 6, 2, id: 8)],
      [object(1, 0, 4, id: 7), object(0, 6, 2, id: 8)])
    #expect(found.changed == 1 && found.added == 0 && found.removed == 0)
    #expect(found.regions.map(\.category) == ["cat", "dog"])
    // Of the cats' 24 pixels 8 remain.
    #expect(found.regions[0].iou == 1.0 / 3)
  }

  @Test("Two objects that exchange pixels change the objects, and not their region")
  func exchanged() throws {
    let found = try change(
      [object(0, 0, 2, id: 1), object(0, 2, 2, id: 2)],
      [object(0, 0, 3, id: 1), object(0, 3, 1, id: 2)])
    #expect(found.changed == 2 && found.regions.isEmpty)
  }

  @Test("Objects without an id are the same one within their class")
  func nameless() throws {
    let found = try change([object(0, 0, 2, id: nil)], [object(0, 0, 3, id: nil)])
    #expect(found.changed == 1 && found.added == 0 && found.removed == 0)
  }

  @Test("Without the image's size objects are counted, pixels are not")
  func noSize() throws {
    let found = try ObjectTruthChange(
      from: [], to: [object(0, 0, 2, id: 1)], size: nil, categories: names)
    #expect(found.added == 1 && found.regions.isEmpty)
  }
}
