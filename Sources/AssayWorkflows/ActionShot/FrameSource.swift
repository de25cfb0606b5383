import AssayCore
import AssayFormats
import AssayStore
import Foundation

/// The frames of a film in the order of time: the images of a folder, or the samples of a view.
struct FrameSource: Sendable {
  private enum Content: Sendable {
    case folder(DirectoryTree)
    case view(SampleImages, [SampleRecord], DatasetRecord)
  }

  /// The names of the frames: paths below the folder, or keys.
  let names: [String]
  /// The folder or the view, for people.
  let title: String
  private let content: Content

  /// The maximum number of frames.
  static let limit = 100_000

  /// The dataset and the samples of a view; `nil` for a folder.
  var view: (dataset: DatasetRecord, samples: [SampleRecord])? {
    guard case .view(_, let samples, let dataset) = content else { return nil }
    return (dataset, samples)
  }

  /// Opens a view of the catalog or a folder: a view if there is one of this name; a path that begins with `/` or
  /// `.` is always a folder.
  ///
  /// - Throws: `StoreError` if it is neither; `SourceError`; ``ActionShotError/noFrames(_:)``,
  ///   ``ActionShotError/tooManyFrames(_:limit:)``.
  static func open(_ source: String, _ catalog: Catalog) throws -> FrameSource {
    let isPath = source.hasPrefix("/") || source.hasPrefix(".")
    guard !isPath else { return try FrameSource(folder: source) }
    do {
      return try FrameSource(view: source, catalog)
    } catch let error as StoreError {
      var status = stat()
      guard case .unknownView = error, stat(source, &status) == 0 else { throw error }
      return try FrameSource(folder: source)
    }
  }

  private init(view: String, _ catalog: Catalog) throws {
    let selection = try catalog.resolve(view)
    let samples = try catalog.samples(in: selection, limit: nil)
    content = .view(
      SampleImages(catalog: catalog, dataset: selection.dataset), samples, selection.dataset)
    names = samples.map(\.key)
    title = "the view \(view)"
    try Self.check(names.count, view)
  }

  private init(folder path: String) throws {
    let tree = try DirectoryTree(path)
    guard !tree.isSingleFile else { throw ActionShotError.singleFile(path) }
    names = try tree.files().map(\.path).filter(PairPath.isImageName)
      .sorted(by: NumberedNames.precedes)
    title = "the folder \(path)"
    content = .folder(tree)
    try Self.check(names.count, path)
  }

  private static func check(_ count: Int, _ source: String) throws {
    guard count > 0 else { throw ActionShotError.noFrames(source) }
    guard count <= limit else { throw ActionShotError.tooManyFrames(count, limit: limit) }
  }

  /// The image of a frame: one channel or three.
  ///
  /// - Throws: `StoreError`.
  func raster(at index: Int) throws -> Result<Raster<UInt8>, FrameFault> {
    switch content {
    case .view(let images, let samples, _):
      return try images.rasters(of: [samples[index]])[0].mapError { FrameFault($0.reason) }
    case .folder(let tree):
      do {
        let bytes = try tree.readAll(names[index], limit: SampleImages.fileLimit)
        return .success(try SampleImages.decode(bytes, in: nil))
      } catch {
        return .failure(FrameFault("\(error)"))
      }
    }
  }
}
