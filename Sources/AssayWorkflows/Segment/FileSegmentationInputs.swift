import AssayCore
import AssayFormats
import Foundation

/// The two COCO files of a segmentation evaluation, joined: the regions of one category, or of all,
/// per image.
///
/// Odd entries are corrected or left out by the rules of `COCOOddity`, as for `--iou-type segm`.
/// Crowds are treated like other regions.
struct FileSegmentationInputs: Sendable {
  /// The entries of a file by image: those of an image are `order[starts[image]..<starts[image + 1]]`.
  private struct Places: Sendable {
    var order: [Int32] = []
    var starts: [Int] = []

    /// - Parameter images: the image of each entry; −1 for entries that are left out.
    init(_ images: [Int32], count: Int) {
      starts = [Int](repeating: 0, count: count + 1)
      for image in images where image >= 0 { starts[Int(image) + 1] += 1 }
      for image in 0..<count { starts[image + 1] += starts[image] }
      var next = starts
      order = [Int32](repeating: 0, count: starts[count])
      for (place, image) in images.enumerated() where image >= 0 {
        order[next[Int(image)]] = Int32(place)
        next[Int(image)] += 1
      }
    }

    subscript(image: Int) -> ArraySlice<Int32> { order[starts[image]..<starts[image + 1]] }
  }

  /// An image of the ground truth.
  struct Image: Sendable {
    var name: String
    var size: ImageSize
  }

  /// The images, in the order of the ground truth.
  let images: [Image]
  /// The oddities of both files so far; those of regions are found when masks are made.
  private(set) var findings = OddityCounts()
  /// The number of images that have results but are not in the ground truth.
  private(set) var unknownImages = 0
  private let truth: COCOTruth
  private let results: COCOResults
  private var truthPlaces = Places([], count: 0)
  private var resultPlaces = Places([], count: 0)

  /// - Parameter category: the name of the category whose regions are used; `nil` for all regions.
  /// - Throws: ``FileSegmentationError``, `COCOFileError`, `COCOForeignFile`, `FormatError`, ``SourceError``,
  ///   ``Interrupted``.
  init(
    truth truthPath: String, results resultPath: String, category: String?,
    progress: any ProgressSink
  ) throws {
    let workers = ProcessInfo.processInfo.activeProcessorCount
    let fields: COCOFields = category == nil ? [] : .category
    let truth = try COCOTruthReader(DirectoryTree(truthPath), workers: workers)
      .read(regions: true, requiring: fields)
    images = try truth.images.map { image in
      guard let size = image.size else {
        throw FileSegmentationError.noImageSize(file: truthPath, image: "\(image.id)")
      }
      return Image(name: image.name, size: size)
    }
    let chosen = try category.map { name in
      guard let number = truth.categories.firstIndex(where: { $0.name == name }) else {
        throw FileSegmentationError.unknownCategory(name, known: truth.categories.map(\.name))
      }
      return Int32(number)
    }
    try Self.checkRegions(truth.flags.map { $0.contains(.region) }, "annotation", truthPath)
    let results = try COCOResultsReader(DirectoryTree(resultPath), workers: workers).read(
      byImage: false, requiring: fields
    ) { share in
      try Interruption.check("nothing was stored")
      progress.report(share * 0.1, "reading masks")
    }
    try Self.checkRegions(results.flags.map { $0.contains(.region) }, "result", resultPath)
    self.truth = truth
    self.results = results
    findings.merge(truth.findings)
    findings.merge(results.findings)
    truthPlaces = Places(
      truth.imageNumbers.indices.map { place in
        chosen == nil || truth.categoryNumbers[place] == chosen ? truth.imageNumbers[place] : -1
      }, count: images.count)
    resultPlaces = Places(try joinResults(chosen, resultPath), count: images.count)
  }

  /// Rejects a file that contains only boxes.
  private static func checkRegions(
    _ hasRegion: [Bool], _ entry: String, _ path: String
  ) throws(FileSegmentationError) {
    guard hasRegion.isEmpty || hasRegion.contains(true) else {
      throw .noRegions(file: path, entry: entry)
    }
  }

  /// Returns the image of each result as an index into ``images``; −1 if it has another category or
  /// cannot be used.
  private mutating func joinResults(
    _ chosen: Int32?, _ path: String
  ) throws(FileSegmentationError) -> [Int32] {
    let imageTable = COCOIDTable(truth.images.map(\.id))
    let imageFinds = results.images.map(imageTable.find)
    let categoryTable = COCOIDTable(truth.categories.map(\.id))
    let categoryFinds = chosen == nil ? [] : results.categories.map(categoryTable.find)
    var unknown: Set<Int32> = []
    var usable = 0
    var images = [Int32](repeating: -1, count: results.count)
    for place in images.indices {
      let image = results.imageNumbers[place]
      guard image >= 0 else { continue }
      var isChosen = true
      if let chosen {
        let category = Int(results.categoryNumbers[place])
        guard let find = categoryFinds[category] else {
          findings.note(
            .resultOfUnknownCategory, at: place, "/category_id",
            Self.spelling(results.categories[category]))
          continue
        }
        isChosen = find.number == chosen
        if isChosen, find.isConverted {
          findings.note(
            .mistypedCategory, at: place, "/category_id",
            Self.spelling(results.categories[category]))
        }
      }
      guard let find = imageFinds[Int(image)] else {
        if isChosen { unknown.insert(image) }
        findings.note(
          .resultOfUnknownImage, at: place, "/image_id", Self.spelling(results.images[Int(image)]))
        continue
      }
      usable += 1
      guard isChosen else { continue }
      if find.isConverted {
        findings.note(
          .mistypedImage, at: place, "/image_id", Self.spelling(results.images[Int(image)]))
      }
      images[place] = Int32(find.number)
    }
    unknownImages = unknown.count
    guard usable > 0 || results.count == 0 else {
      throw .nothingUsable(
        file: path, count: results.count,
        reasons: findings.findings(isWrapped: results.isWrapped)
          .filter { $0.oddity.side == .results && $0.oddity.concernsMasks }.map(\.text))
    }
    return images
  }

  /// Returns an id in JSON syntax: a text is quoted.
  private static func spelling(_ id: SourceID) -> String {
    if case .text(let text) = id { "\"\(text)\"" } else { "\(id)" }
  }

  /// The masks of an image, and the oddities of their regions.
  struct Masks: Sendable {
    var truth: Mask
    var result: Mask
    var findings = OddityCounts()
  }

  /// Returns the union of the regions of an image on both sides.
  func masks(of image: Int) -> Masks {
    let size = images[image].size
    var findings = OddityCounts()
    let truths = truthPlaces[image].compactMap {
      truth.pixels(at: Int($0), in: size, &findings)
    }
    let found = resultPlaces[image].compactMap {
      results.pixels(at: Int($0), in: size, &findings)
    }
    return Masks(
      truth: Mask.union(of: truths, size: size), result: Mask.union(of: found, size: size),
      findings: findings)
  }

  /// Returns the notes on both files, one sentence each.
  ///
  /// - Parameter regions: the oddities that ``masks(of:)`` found.
  func notes(_ regions: OddityCounts) -> [String] {
    var all = findings
    all.merge(regions)
    var notes = all.findings(isWrapped: results.isWrapped)
      .filter { $0.oddity.concernsMasks && $0.oddity != .resultOfUnknownImage }.map(\.text)
    if unknownImages > 0 {
      notes.append(
        "\(unknownImages) images of the results are not in the ground truth and were left out")
    }
    return notes
  }
}
