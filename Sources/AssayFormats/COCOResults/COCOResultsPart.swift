import AssayCore
import CSimdJSON

/// The results of one piece of a file, in columns.
struct COCOResultsPart: Sendable {
  /// The id of each as a whole number; text ids are in ``texts``.
  private(set) var images: [Int64] = []
  private(set) var categories: [Int64] = []
  private(set) var texts: [(place: Int, image: SourceID?, category: SourceID?)] = []
  private(set) var scores: [Double] = []
  private(set) var boxes: [Box] = []
  private(set) var flags: [COCOResults.Flags] = []
  /// The keypoints of each; empty if none has any.
  private(set) var keypoints: [[Double]] = []
  private(set) var regions = COCORegionStore()
  private(set) var first = COCOResults.Shape()
  /// The oddities, by index in the piece.
  private(set) var findings = OddityCounts()
  /// The marks of other file formats, by index in the piece.
  private(set) var marks = assay_coco_marks.none
  /// True if a field has another type than COCO's, or a bbox is not a list of four numbers.
  private(set) var isOdd = false
  /// The byte offset of the piece's end in the file.
  var end: Int

  var count: Int { images.count }

  private let fields: COCOFields

  /// - Parameters:
  ///   - fields: the fields that a result needs to be used.
  ///   - end: the offset of the piece's end in the file.
  init(_ batch: assay_coco_batch, requiring fields: COCOFields = .all, end: Int) {
    self.fields = fields
    self.end = end
    marks = batch.marks
    isOdd = marks.empty_fields >= 0
    guard batch.count > 0, let records = batch.results else { return }
    first = COCOResults.Shape(
      hasBox: FieldState(records[0].box_state) != .missing, hasRegion: records[0].region != 0,
      hasKeypoints: marks.keypoints == 0)
    images.reserveCapacity(batch.count)
    categories.reserveCapacity(batch.count)
    scores.reserveCapacity(batch.count)
    boxes.reserveCapacity(batch.count)
    flags.reserveCapacity(batch.count)
    let fine = UInt8(assay_field_fine.rawValue)
    for place in 0..<batch.count {
      let record = records + place
      images.append(record.pointee.image)
      categories.append(record.pointee.category)
      scores.append(record.pointee.score)
      let box = record.pointee.box
      boxes.append(Box(x: box.0, y: box.1, width: box.2, height: box.3))
      // All four together: the most common case.
      let states =
        (record.pointee.image_state ^ fine) | (record.pointee.category_state ^ fine)
        | (record.pointee.score_state ^ fine) | (record.pointee.box_state ^ fine)
      flags.append(states == 0 ? [] : look(at: record.pointee, place, in: batch))
      if record.pointee.region != 0 {
        flags[place].insert(.region)
        if record.pointee.region != .max, let shapes = batch.annotations {
          regions.append(shapes[Int(record.pointee.region) - 1], of: batch, at: place)
        }
      }
    }
    readKeypoints(batch)
  }

  /// Copies the keypoints.
  private mutating func readKeypoints(_ batch: assay_coco_batch) {
    for record in batch.ownKeypoints where FieldState(record.state) != .missing {
      if keypoints.isEmpty { keypoints = Array(repeating: [], count: batch.count) }
      flags[Int(record.element)].insert(.keypoints)
      keypoints[Int(record.element)] = batch.values(of: record)
    }
  }

  /// Examines a result with an odd field.
  private mutating func look(
    at record: assay_coco_result, _ place: Int, in batch: assay_coco_batch
  ) -> COCOResults.Flags {
    let fine = UInt8(assay_field_fine.rawValue)
    let textID = UInt8(assay_result_text)
    if (record.image_state & ~textID ^ fine) | (record.category_state & ~textID ^ fine)
      | (record.score_state ^ fine) != 0
    {
      isOdd = true
    }
    if record.image_state == UInt8(assay_result_no_object) {
      findings.note(.badResult, at: place)
      return .unusable
    }
    guard let image = Self.id(record.image, record.image_state, batch) else {
      findings.note(
        .resultWithoutReference, at: place, "/image_id",
        "'image_id' \(Self.state(record.image_state).complaint)")
      return .unusable
    }
    let category = Self.id(record.category, record.category_state, batch)
    if category == nil, fields.contains(.category) {
      findings.note(
        .resultWithoutReference, at: place, "/category_id",
        "'category_id' \(Self.state(record.category_state).complaint)")
      return .unusable
    }
    var texts = (place: place, image: SourceID?.none, category: SourceID?.none)
    if case .text = image { texts.image = image }
    if case .text? = category { texts.category = category }
    if texts.image != nil || texts.category != nil { self.texts.append(texts) }
    var flags: COCOResults.Flags = []
    switch FieldState(record.score_state) {
    case .fine: break
    case _ where !fields.contains(.score): scores[place] = 0
    case .odd: findings.note(.textScore, at: place, "/score")
    case .missing, .bad:
      findings.note(
        .noScore, at: place, "/score", "'score' \(FieldState(record.score_state).complaint)")
      return .unusable
    case .notFinite:
      findings.note(.notFiniteScore, at: place, "/score", "\(record.score)")
      flags.insert(.notFinite)
      scores[place] = Self.rank(ofNotFinite: record.score)
    }
    switch FieldState(record.box_state) {
    case .fine, .odd: break
    case .missing: flags.insert(.noBox)
    case .bad:
      flags.insert(.noBox)
      isOdd = true
    case .notFinite: flags.insert([.noBox, .notFiniteBox])
    }
    if flags.contains(.noBox) { boxes[place] = Box(x: 0, y: 0, width: 0, height: 0) }
    return flags
  }

  /// A finite score with the rank that pycocotools gives to NaN or an infinite score: NaN last, as
  /// in numpy's sort.
  private static func rank(ofNotFinite score: Double) -> Double {
    if score.isNaN { return -.greatestFiniteMagnitude }
    return score > 0 ? .greatestFiniteMagnitude : (-Double.greatestFiniteMagnitude).nextUp
  }

  private static func state(_ state: UInt8) -> FieldState { FieldState(state & 0x3F) }

  private static func id(
    _ value: Int64, _ state: UInt8, _ batch: assay_coco_batch
  ) -> SourceID? {
    guard Self.state(state).isUsable else { return nil }
    guard state & UInt8(assay_result_text) != 0 else { return .integer(value) }
    let packed = UInt64(bitPattern: value)
    return .text(
      batch.text(
        assay_text(
          start: UInt32(truncatingIfNeeded: packed >> 32),
          count: UInt32(truncatingIfNeeded: packed))))
  }
}
