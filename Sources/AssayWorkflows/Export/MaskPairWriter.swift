import AssayCore
import AssayFormats
import AssayImaging
import AssayStore

/// Creates and writes the pairs of some samples; used from several threads.
struct MaskPairWriter: Sendable {
  /// A sample for which nothing was written.
  struct Failure: Error {
    var sample: LeftOutSample
  }

  let catalog: Catalog
  let images: SampleImages
  let painting: MaskRenderer
  let request: MaskExportRequest
  let folder: ExportFolder

  /// - Parameter paths: the paths of each sample's files, relative to both folders.
  /// - Throws: ``OutputError``, `StoreError`, ``Interrupted``.
  func make(
    _ samples: [SampleRecord], paths: [String]
  ) throws -> [Result<MaskExportSummary.Pair, Failure>] {
    var annotations = Array<[AnnotationRecord]>(repeating: [], count: samples.count)
    try catalog.forEachAnnotations(of: samples.map(\.id), categories: painting.categories) {
      annotations[$0] = $1
    }
    return try samples.indices.map { place in
      let sample = samples[place]
      do {
        return .success(try make(sample, annotations[place], path: paths[place]))
      } catch let error as SampleImageError {
        return .failure(
          Failure(sample: LeftOutSample(key: sample.key, reason: error.reason)))
      } catch let error where error is MaskError || error is ImageError {
        return .failure(Failure(sample: LeftOutSample(key: sample.key, reason: "\(error)")))
      } catch let failure as Failure {
        return .failure(failure)
      }
    }
  }

  private func make(
    _ sample: SampleRecord, _ annotations: [AnnotationRecord], path: String
  ) throws -> MaskExportSummary.Pair {
    var image = try images.rasters(of: [sample])[0].get()
    let size = ImageSize(width: image.width, height: image.height)
    if let known = sample.size, known != size {
      throw Failure(
        sample: LeftOutSample(
          key: sample.key,
          reason: "the image size is now \(size), but its regions were drawn on \(known)"))
    }
    var (mask, covered) = try painting.paint(annotations, size: size)
    if let side = request.side {
      let target = ImageSize(width: side, height: side)
      let rule: ResizeRule = request.crop == .center ? .centerCrop : .stretch
      let plan = ResizePlan(rule, from: size, to: target)
      image = Resize.area(Crop.apply(image, to: plan.crop) ?? image, to: target)
      mask = mask.moved { Resize.nearest(Crop.apply($0, to: plan.crop) ?? $0, to: target) }
    }
    try folder.write(MaskExport.image(path), try ImageCodec.encodePNG(image))
    try folder.write(MaskExport.mask(path), try mask.png())
    return MaskExportSummary.Pair(
      sample: sample, path: path, size: mask.size, painted: mask.painted, covered: covered)
  }
}
