import AssayCore
import AssayReports
import AssayStore

/// Mean and standard deviation images of the evaluated samples.
struct ReportMeans {
  let catalog: Catalog
  let progress: any ProgressSink

  /// The maximum number of image files that are decoded, because a report should not take minutes.
  static let fileLimit = 5_000

  /// One column per class that has images, and one for all of them; empty, with the reason, if the
  /// images differ in size.
  ///
  /// - Throws: ``Interrupted``, `StoreError`.
  func columns(
    of evaluated: EvaluatedRun<ImageClassification>
  ) throws -> (columns: [MeanFaceSheet.Column], note: String?) {
    let view = evaluated.run.view
    let sizes = SizeCount.tally(evaluated.samples)
    guard sizes.count < 2 else {
      return (
        [],
        "None: the images differ in size. Compute them with: "
          + "assay stats \(view) --out DIR --resize WxH"
      )
    }
    let files = evaluated.samples.count { $0.location != nil }
    guard files <= Self.fileLimit else {
      return (
        [],
        "None: there are more than \(Self.fileLimit) image files. Compute them with: "
          + "assay stats \(view) --out DIR"
      )
    }
    let samples = zip(evaluated.samples, evaluated.truths).map { sample, truth in
      var sample = sample
      sample.category = truth
      return sample
    }
    let selection = try catalog.resolve(evaluated.run.dataset.name)
    let classes = evaluated.join.classes
    do {
      let size = try PixelScan.size(
        of: samples, nil, view: selection.name,
        SampleImages(catalog: catalog, dataset: selection.dataset))
      let sums = try PixelScan(
        catalog: catalog, selection: selection, samples: samples, classes: classes, size: size,
        isResized: false
      ).sums(progress)
      let pixels = PixelStatistics(
        sums, classes: classes, isResized: false, keys: { samples[$0].key })
      guard let pixels else {
        throw StatisticsError.noImage(
          view: selection.name, firstReason: sums.leftOut.first?.reason ?? "it has no images")
      }
      // With the total, as in `assay stats`, so that the gray scales are the same.
      let rows = pixels.classes + [PixelStatistics.Row(name: "all", moments: pixels.all)]
      let columns = rows.compactMap { row in
        row.moments.map {
          MeanFaceSheet.Column(
            name: row.name, count: $0.count, mean: $0.mean, deviation: $0.deviation)
        }
      }
      let left = pixels.leftOut.count
      return (
        columns,
        left == 0 ? nil : "\(left) images that differ in size or cannot be read are left out."
      )
    } catch let error as StatisticsError {
      return ([], "None: \(error).")
    }
  }
}
