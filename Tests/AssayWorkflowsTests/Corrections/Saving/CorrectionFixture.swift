import AssayCore
import AssayImaging
import AssayStore
import Foundation
import Testing

import AssayWorkflows

/// A catalog with image files, a ledger next to it, and an author of corrections.
final class CorrectionFixture {
  let world: SegmentCatalog
  let ledger: Ledger
  let service: CorrectionService
  let size: ImageSize
  private var number = 0

  /// - Parameter pictures: the regions of each image, as rows of characters; `#` is set.
  init(
    _ pictures: [[SegmentCatalog.Region]] = [
      [.init(category: 0, rows: ["##..", "##.."])], [.init(category: 1, rows: ["...#", "...#"])],
      [],
    ], size: ImageSize = ImageSize(width: 4, height: 2), classes: [String] = ["person", "car"]
  ) throws {
    world = try SegmentCatalog()
    self.size = size
    try world.importPictures(pictures, size: size, classes: classes.map { Category(name: $0) })
    for index in pictures.indices { try Self.picture(index, size, in: world.folder) }
    ledger = try Ledger.open(
      Ledger.path(forCatalog: world.catalog.path), .create, synchronous: .off)
    service = CorrectionService(catalog: world.catalog, ledger: ledger) {
      Date(timeIntervalSince1970: 1_700_000_000)
    }
  }

  /// Writes an image of constant brightness.
  static func picture(_ index: Int, _ size: ImageSize, shade: UInt8 = 10, in folder: URL) throws {
    let raster = Raster<UInt8>(
      repeating: shade &+ UInt8(index), width: size.width, height: size.height)
    try Data(try ImageCodec.encodePNG(raster)).write(to: folder.appending(path: "\(index).png"))
  }

  func sample(_ index: Int = 0) throws -> SampleRecord { try sample("\(index).png") }

  func sample(_ key: String) throws -> SampleRecord {
    try service.sample(#require(SampleName("set:\(key)")))
  }

  func uuid() -> String {
    number += 1
    return "00000000-0000-4000-8000-" + String(String(1_000_000_000_000 + number).suffix(12))
  }

  func save(
    _ change: CorrectionSave.Change, to index: Int = 0, parent: CorrectionDraft.Parent = .head,
    uuid: String? = nil, ledger: String? = nil, author: String = "anna", note: String? = nil,
    done: Bool = false
  ) throws -> CorrectionSave {
    CorrectionSave(
      uuid: uuid ?? self.uuid(), visit: self.uuid(), ledger: ledger, sample: try sample(index),
      parent: parent, author: author, tool: "test", note: note, done: done, change: change)
  }

  @discardableResult
  func add(
    _ change: CorrectionSave.Change, to index: Int = 0, parent: CorrectionDraft.Parent = .head,
    uuid: String? = nil, ledger: String? = nil, author: String = "anna", note: String? = nil,
    done: Bool = false
  ) throws -> SaveOutcome {
    try service.save(
      save(
        change, to: index, parent: parent, uuid: uuid, ledger: ledger, author: author, note: note,
        done: done))
  }

  func mask(_ rows: String...) throws -> Mask { try SegmentCatalog.mask(rows) }

  /// The message of the error with which a change is rejected; `nil` if it is saved.
  func refusal(
    _ change: CorrectionSave.Change, to index: Int = 0, parent: CorrectionDraft.Parent = .head,
    ledger: String? = nil, author: String = "anna"
  ) throws -> String? {
    let before = try self.ledger.head().sequence
    do {
      try add(change, to: index, parent: parent, ledger: ledger, author: author)
      return nil
    } catch let error as CorrectionError {
      #expect(try self.ledger.head().sequence == before)
      return "\(error)"
    }
  }
}
