package import AssayCore
import AssayImaging
package import AssayStore

/// The sums of the images and masks of some samples: what a shard of the statistics computes, and what
/// is made into mean images.
struct StatisticsSums: Sendable {
  /// The sums of pixels; `nil` if the images are not added up.
  var pixels: PixelSums?
  /// The reason why the images are not added up although there are masks; `nil` if they are.
  var noPixels: String?
  /// The sums of masks; `nil` for a view without regions.
  var masks: MaskSums?

  /// The sums as records of a part: a head, then per class the sums of gray images, of color images, and
  /// of masks.
  ///
  /// - Parameter classes: the number of classes without the one for samples without a label.
  func records(classes: Int) -> [(place: Int, bytes: [UInt8])] {
    var head = ByteEncoder()
    head.append(noPixels) { $0.append($1) }
    head.append(pixels) { head, pixels in
      head.append(pixels.gray.size)
      head.append(pixels.hasColor)
      head.append(pixels.leftOut.count)
      for image in pixels.leftOut {
        head.append(image.position)
        head.append(image.reason)
      }
    }
    head.append(masks) { $0.append($1.grid) }
    var records = [(place: 0, bytes: head.bytes)]
    for category in 0...classes {
      for (kind, sums) in [pixels?.gray, pixels?.color].enumerated() {
        guard let sums = sums?.totals(of: category) else { continue }
        var coder = ByteEncoder()
        coder.append(sums.count)
        coder.append(sums.sums)
        coder.append(sums.squares)
        records.append((1 + 3 * category + kind, coder.bytes))
      }
      guard category < classes, let masks, masks.images[category] > 0 else { continue }
      var coder = ByteEncoder()
      coder.append(masks.images[category])
      coder.append(masks.counts(of: category))
      records.append((1 + 3 * category + 2, coder.bytes))
    }
    return records
  }

  /// Adds a record of a part.
  ///
  /// - Parameters:
  ///   - place: the place of the record.
  ///   - total: the number of samples of the view, which no count exceeds.
  /// - Throws: `DamagedRecord`.
  mutating func add(_ place: Int, _ record: inout ByteDecoder, total: Int) throws(DamagedRecord) {
    guard place > 0 else {
      guard place == 0 else { throw DamagedRecord() }
      return try addHead(&record, total: total)
    }
    let (category, kind) = (place - 1).quotientAndRemainder(dividingBy: 3)
    let count = try record.count()
    guard (1...max(1, total)).contains(count) else { throw DamagedRecord() }
    guard kind < 2 else {
      let counts = try record.shortList()
      guard masks?.add(count, counts, to: category, limit: total) == true else {
        throw DamagedRecord()
      }
      return
    }
    let sums = ClassTotals(
      count: count, sums: try record.bitsList(), squares: try record.bitsList())
    let isAdded =
      kind == 0
      ? pixels?.gray.add(sums, to: category, limit: total)
      : pixels?.color.add(sums, to: category, limit: total)
    guard isAdded == true else { throw DamagedRecord() }
  }

  /// Returns whether every sample is in the sums of pixels or left out of them.
  ///
  /// - Parameter total: the number of samples of the view.
  func areWhole(_ total: Int) -> Bool {
    guard let pixels else { return true }
    let (gray, color) = (pixels.gray.count, pixels.color.count)
    return gray + color + pixels.leftOut.count == total && pixels.hasColor == (color > 0)
  }

  private mutating func addHead(_ head: inout ByteDecoder, total: Int) throws(DamagedRecord) {
    let reason = try head.optional { head throws(DamagedRecord) in try head.text() }
    guard reason == noPixels, try head.bool() == (pixels != nil) else { throw DamagedRecord() }
    if var sums = pixels {
      guard try head.size() == sums.gray.size else { throw DamagedRecord() }
      if try head.bool() { sums.hasColor = true }
      for _ in 0..<(try head.count()) {
        let position = try head.count()
        guard position < total else { throw DamagedRecord() }
        sums.leftOut.append(.init(position: position, reason: try head.text()))
      }
      pixels = sums
    }
    guard try head.bool() == (masks != nil) else { throw DamagedRecord() }
    if let masks {
      guard try head.size() == masks.grid else { throw DamagedRecord() }
    }
  }
}

/// Statistics that are divided into shards: each adds up the images and masks of its samples.
extension StatisticsWorkflow {
  /// Adds up the images and masks of one shard of a view into a part.
  ///
  /// - Parameters:
  ///   - view: a dataset, a view, or a part of either.
  ///   - resize: the size to resize every image to; `nil` rejects images that differ in size.
  ///   - truth: the words for the ground truth, by which its changes are recognized.
  ///   - programVersion: the version of assay.
  /// - Throws: ``StatisticsError``, ``PartError``, `StoreError`, `MaskError`.
  package func makePart(
    _ view: String, resize: ImageSize?, _ request: PartRequest, truth: String,
    programVersion: String
  ) throws -> MadeRecordPart {
    let plan = try SumsPlan(view, resize: resize, in: catalog)
    let shard = ShardSamples(request.shard, of: plan.samples)
    let making = RecordPartMaking(
      request, .statistics, total: plan.samples.count,
      facts: plan.facts(shard, resize, truth: truth, programVersion: programVersion),
      madeWith: catalog.path)
    return try making.run(samples: shard.own.count) { writer in
      try ShardImages.check(shard.own, of: plan.selection.dataset, in: catalog)
      let sums = try plan.sums(of: shard.own, at: shard.positions, catalog, progress)
      for record in sums.records(classes: plan.taxonomy.names.count) {
        try Interruption.check("nothing was written")
        try writer.write([record])
      }
      return sums.pixels?.leftOut.count ?? 0
    }
  }

  /// Computes the statistics of a view with the sums of parts.
  ///
  /// - Parameter truth: the words for the ground truth.
  /// - Throws: ``StatisticsError``, ``PartError``, `StoreError`, `MaskError`, ``Interrupted``.
  package func run(_ parts: RecordParts, truth: String) throws -> DatasetStatistics {
    let plan = try SumsPlan(
      parts.text("view"), resize: ImageSize(text: parts.text("resize")), in: catalog,
      size: parts.text("size"))
    try plan.check(parts, truth: truth, catalog)
    var sums = try plan.empty()
    let total = plan.samples.count
    var heads: Set<String> = []
    try parts.forEach { file, place, record in
      if place == 0, !heads.insert(file.path).inserted { throw DamagedRecord() }
      try sums.add(place, &record, total: total)
    }
    guard heads.count == parts.files.count, sums.areWhole(total) else {
      throw PartError.unusable(path: parts.path, .inconsistent("records are missing"))
    }
    sums.pixels?.leftOut.sort { $0.position < $1.position }
    return try statistics(plan, sums)
  }
}
