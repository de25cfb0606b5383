import AssayCore
import CSimdJSON

/// The annotations of one piece of a file, in columns, with their images and classes looked up.
struct COCOTruthPart: Sendable {
  private(set) var images: [Int32] = []
  private(set) var categories: [Int32] = []
  private(set) var areas: [Double] = []
  private(set) var boxes: [Box] = []
  private(set) var flags: [COCOTruth.Flags] = []
  private(set) var ids: [SourceID?] = []
  /// The keypoints of each, and the stated number of labeled ones; empty if none has any.
  private(set) var keypoints: [[Double]] = []
  private(set) var labeledCounts: [Double] = []
  private(set) var regions = COCORegionStore()
  private(set) var findings = OddityCounts()
  /// True if a field has another type than COCO's.
  private(set) var isOdd = false

  var count: Int { areas.count }

  /// - Parameters:
  ///   - imageTable: the ids of the images.
  ///   - categoryTable: the ids of the categories; `nil` if annotations need none.
  init(
    _ batch: assay_coco_batch, images imageTable: COCOIDTable,
    categories categoryTable: COCOIDTable?
  ) {
    guard batch.count > 0, let records = batch.annotations else { return }
    for place in 0..<batch.count {
      let record = records[place]
      let box = record.box
      boxes.append(Box(x: box.0, y: box.1, width: box.2, height: box.3))
      areas.append(record.area)
      flags.append(record.is_crowd ? .crowd : [])
      ids.append(nil)
      images.append(-1)
      categories.append(-1)
      if record.is_object {
        read(record, place, batch, imageTable, categoryTable)
      } else {
        findings.note(.badAnnotation, at: place)
      }
    }
    readKeypoints(batch)
  }

  /// Copies the keypoints.
  private mutating func readKeypoints(_ batch: assay_coco_batch) {
    for record in batch.ownKeypoints {
      let place = Int(record.element)
      if labeledCounts.isEmpty { labeledCounts = Array(repeating: .nan, count: batch.count) }
      if FieldState(record.labeled_state).isUsable { labeledCounts[place] = record.labeled }
      guard FieldState(record.state) != .missing else { continue }
      if keypoints.isEmpty { keypoints = Array(repeating: [], count: batch.count) }
      flags[place].insert(.keypoints)
      keypoints[place] = batch.values(of: record)
    }
  }

  private mutating func read(
    _ record: assay_coco_annotation, _ place: Int, _ batch: assay_coco_batch,
    _ imageTable: COCOIDTable, _ categoryTable: COCOIDTable?
  ) {
    ids[place] = batch.id(record.id)
    if ids[place] == nil {
      findings.note(
        .annotationWithoutID, at: place, "/id", "'id' \(record.id.field.complaint)")
    }
    guard
      let image = find(
        record.image, "image_id", in: imageTable, place, batch, .truthOfUnknownImage)
    else { return }
    if let categoryTable {
      guard
        let category = find(
          record.category, "category_id", in: categoryTable, place, batch, .truthOfUnknownCategory)
      else { return }
      categories[place] = category
    }
    images[place] = image
    let fine = UInt8(assay_field_fine.rawValue)
    if (record.id.state ^ fine) | (record.image.state ^ fine) | (record.category.state ^ fine)
      | (record.area_state ^ fine) | (record.crowd_state ^ fine) != 0
    {
      isOdd = true
    }
    look(at: ids[place], place)
    switch FieldState(record.crowd_state) {
    case .fine: break
    case .odd:
      if record.is_crowd_text {
        findings.note(.textCrowd, at: place, "/iscrowd", "taken as \(record.is_crowd ? 1 : 0)")
      }
    case .missing: findings.note(.noCrowd, at: place, "/iscrowd")
    case .bad, .notFinite:
      findings.note(
        .badCrowd, at: place, "/iscrowd",
        "'iscrowd' \(FieldState(record.crowd_state).complaint)")
    }
    switch FieldState(record.area_state) {
    case .fine, .odd:
      if FieldState(record.area_state) == .odd { findings.note(.textArea, at: place, "/area") }
      if record.area < 0 {
        findings.note(.negativeArea, at: place, "/area", "\(record.area)")
        flags[place].insert(.noArea)
      }
    case .missing, .bad:
      findings.note(
        .noArea, at: place, "/area", "'area' \(FieldState(record.area_state).complaint)")
      flags[place].insert(.noArea)
    case .notFinite:
      findings.note(.notFiniteArea, at: place, "/area", "\(record.area)")
      flags[place].insert(.noArea)
    }
    switch FieldState(record.box_state) {
    case .fine, .odd: break
    case .missing, .bad: flags[place].insert(.noBox)
    case .notFinite: flags[place].insert([.noBox, .notFiniteBox])
    }
    if flags[place].contains(.noBox) { boxes[place] = Box(x: 0, y: 0, width: 0, height: 0) }
    if record.shape != UInt8(assay_shape_none.rawValue) {
      flags[place].insert(.region)
      if record.shape != UInt8(assay_shape_unread.rawValue) {
        regions.append(record, of: batch, at: place)
      }
    }
  }

  private mutating func find(
    _ field: assay_coco_id, _ name: String, in table: COCOIDTable, _ place: Int,
    _ batch: assay_coco_batch, _ unknown: COCOOddity
  ) -> Int32? {
    guard let id = batch.id(field) else {
      findings.note(
        .truthWithoutReference, at: place, "/\(name)", "'\(name)' \(field.field.complaint)")
      return nil
    }
    guard let (number, isConverted) = table.find(id) else {
      findings.note(unknown, at: place, "/\(name)", "\(name) \(id)")
      return nil
    }
    if isConverted {
      findings.note(.mistypedTruth, at: place, "/\(name)", "\(name) \(Self.spelling(id))")
      flags[place].insert(.mistyped)
    }
    return Int32(number)
  }

  /// An id as written in JSON: a text in quotes.
  private static func spelling(_ id: SourceID) -> String {
    if case .text(let text) = id { "\"\(text)\"" } else { "\(id)" }
  }

  private mutating func look(at id: SourceID?, _ place: Int) {
    switch id {
    case .integer(let value)?:
      guard value == 0 else { return }
      findings.note(.zeroID, at: place, "/id")
      flags[place].insert(.zeroID)
    case .text(let text)?:
      // numpy reads a number from it if possible.
      if Double(text) == nil {
        findings.note(.textAnnotationID, at: place, "/id", "\"\(text)\"")
      } else if Double(text) == 0 {
        findings.note(.zeroID, at: place, "/id", "\"\(text)\"")
        flags[place].insert(.zeroID)
      }
    case nil: break
    }
  }
}
