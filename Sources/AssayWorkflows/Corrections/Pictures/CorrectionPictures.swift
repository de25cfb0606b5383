package import AssayCore
import AssayImaging
import AssayReports
package import AssayStore

/// A sample before and after a correction, and the difference, as PNGs.
///
/// For regions and boxes, corrected objects are named and drawn in the ground-truth blue; the
/// others are thin outlines. In the difference image, added pixels are filled blue and removed
/// pixels orange; the outline before is orange and the outline after is blue. Labels are below the
/// image.
package struct CorrectionPictures {
  /// An image and its file name.
  package struct File: Sendable {
    package var name: String
    package var bytes: [UInt8]
  }

  /// The length in pixels of a large image's longer side, and the target length to which small
  /// images are enlarged.
  private static let largest = 1_200
  private static let least = 480

  private let raster: Raster<UInt8>
  private let classes: [String]

  /// Reads the sample's image.
  ///
  /// - Throws: ``SampleImageError``, `StoreError`.
  package init(of sample: SampleRecord, dataset: DatasetRecord, in catalog: Catalog) throws {
    raster = try SampleImages(catalog: catalog, dataset: dataset).rasters(of: [sample])[0].get()
    classes = try catalog.taxonomy(of: dataset.id).names
  }

  /// - Parameter stem: the prefix of the file names.
  /// - Throws: `ReportError`, `ImageError`.
  package func files(
    from before: ReplayedContent, to after: ReplayedContent, stem: String
  ) throws -> [File] {
    let difference = TruthDifference(from: before, to: after)
    guard before.objects.isEmpty, after.objects.isEmpty else {
      return try regions(before, after, difference, stem)
    }
    return try labels(before, after, stem)
  }

  // MARK: Regions

  private var longest: Int {
    min(Self.largest, max(Self.least, max(raster.width, raster.height)))
  }

  private func regions(
    _ before: ReplayedContent, _ after: ReplayedContent, _ difference: TruthDifference,
    _ stem: String
  ) throws -> [File] {
    let touched = Set(
      (difference.added + difference.removed + difference.changed.map(\.after)).map(\.target))
    var files = [
      File(name: "\(stem)-before.png", bytes: try picture(of: before, touched)),
      File(name: "\(stem)-after.png", bytes: try picture(of: after, touched)),
    ]
    let names = FileNames.stems(for: difference.regions.map(\.category))
    for (region, name) in zip(difference.regions, names) {
      let overlay = MaskOverlay.evaluated(truth: region.after, prediction: region.before)
      let ending = difference.regions.count == 1 ? "difference" : "difference-\(name)"
      files.append(
        File(
          name: "\(stem)-\(ending).png",
          bytes: try ImageCodec.encodePNG(try overlay.drawn(over: raster, longest: longest))))
    }
    return files
  }

  private func picture(
    of content: ReplayedContent, _ touched: Set<CorrectionTarget>
  ) throws -> [UInt8] {
    let size = ImageSize(width: max(raster.width, 1), height: max(raster.height, 1))
    let objects = content.objects.compactMap { object -> BoxOverlay.Object? in
      let mask =
        object.geometry == nil ? nil : content.size.flatMap { try? object.mask(in: $0) }
      guard let box = object.box ?? mask?.boundingBox else { return nil }
      return BoxOverlay.Object(
        .truth, box: box, mask: mask?.size == size ? mask : nil, name: object.category,
        isFaint: !touched.isEmpty && !touched.contains(object.target))
    }
    // Corrected objects are drawn on top of the others.
    let overlay = BoxOverlay(
      size: size, objects: objects.filter(\.isFaint) + objects.filter { !$0.isFaint })
    return try ImageCodec.encodePNG(try overlay.drawn(over: raster, longest: longest))
  }

  // MARK: Labels

  private func labels(
    _ before: ReplayedContent, _ after: ReplayedContent, _ stem: String
  ) throws -> [File] {
    func tile(_ content: ReplayedContent, _ frame: ContactSheet.Frame) -> ContactSheet.Tile {
      ContactSheet.Tile(
        raster: raster,
        caption: [content.labelText]
          + (content.leftOut.map { ["left out: \($0)"] } ?? []),
        frame: frame)
    }
    let isSame = before == after
    let old = tile(before, isSame ? .none : .wrong)
    let new = tile(after, isSame ? .none : .right)
    let title = "\(before.labelText) → \(after.labelText)"
    return try [
      ("before", [old], nil), ("after", [new], nil), ("difference", [old, new], title),
    ].map { ending, tiles, title in
      File(
        name: "\(stem)-\(ending).png",
        bytes: try ContactSheet(tiles: tiles, title: title).png())
    }
  }
}

extension ReplayedContent {
  /// The label or the set of labels in words.
  fileprivate var labelText: String {
    let names = labels.map { $0.sorted() } ?? label.map { [$0] } ?? []
    return names.isEmpty ? "no label" : names.joined(separator: ", ")
  }
}
