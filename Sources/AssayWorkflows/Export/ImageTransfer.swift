import AssayCore
import AssayFormats
import AssayImaging
import AssayStore
import Foundation

/// The way in which the images of an export get into its folder.
package enum ImageTransfer: String, CaseIterable, Sendable {
  /// Hard links: no bytes are copied, and a change of the file changes the source's. Across file
  /// systems, and for pixels of the catalog, the bytes are copied.
  case link
  case copy
  /// The images stay where they are.
  case none
}

/// Places image files of samples in a folder.
struct ImageWriter: Sendable {
  let catalog: Catalog
  let dataset: DatasetRecord
  let transfer: ImageTransfer
  let folder: ExportFolder

  /// Writes the images of samples under given paths.
  ///
  /// - Returns: for each sample the problem with its image; `nil` if it was written.
  /// - Throws: ``OutputError``, `StoreError`.
  func write(_ samples: [SampleRecord], as paths: [String]) throws -> [LeftOutSample?] {
    try zip(contents(of: samples, linkedAs: transfer == .link ? paths : nil), paths).map {
      content, path in
      switch content {
      case .success(let bytes?): try folder.write(path, bytes)
      case .success(nil): break
      case .failure(let problem): return problem
      }
      return nil
    }
  }

  /// The image files of samples: the bytes of the source, and pixels of the catalog as PNG.
  ///
  /// - Parameter paths: the paths of links that are made where the file systems allow it; the content
  ///   of these is `nil`.
  /// - Returns: for each sample the bytes, or the problem with its image.
  /// - Throws: ``OutputError``, `StoreError`.
  func contents(
    of samples: [SampleRecord], linkedAs paths: [String]? = nil
  ) throws -> [Result<[UInt8]?, LeftOutSample>] {
    let embedded = samples.filter { $0.location == nil }
    var pictures: [Int64: Result<Raster<UInt8>, SampleImageError>] = [:]
    if !embedded.isEmpty {
      let rasters = try SampleImages(catalog: catalog, dataset: dataset).rasters(of: embedded)
      for (sample, raster) in zip(embedded, rasters) { pictures[sample.id] = raster }
    }
    let tree = Result { try DatasetRoot.tree(of: dataset) }
    return try samples.enumerated().map { place, sample in
      do {
        if let location = sample.location {
          let tree = try tree.get()
          // An untrusted catalog can name any file; only images may be written.
          guard ImageFrame.displayedSize(of: location, in: tree) != nil else {
            // The error of reading says more.
            _ = try ImageCodec.header(of: tree.readAll(location, limit: SampleImages.fileLimit))
            return .failure(
              LeftOutSample(key: sample.key, reason: "\(location) is no usable image"))
          }
          if let paths, let source = tree.filePath(of: location),
            try folder.link(paths[place], to: source)
          {
            return .success(nil)
          }
          return .success(try tree.readAll(location, limit: SampleImages.fileLimit))
        }
        guard let raster = try pictures[sample.id]?.get() else {
          return .failure(
            LeftOutSample(
              key: sample.key, reason: SampleImageError.noPixels(key: sample.key).reason))
        }
        return .success(try ImageCodec.encodePNG(raster))
      } catch let error as OutputError {
        throw error
      } catch let error as StoreError {
        throw error
      } catch {
        return .failure(LeftOutSample(key: sample.key, reason: "\(error)"))
      }
    }
  }
}

extension DirectoryTree {
  /// The absolute path of a file below the root, without links; `nil` if it is not below the root.
  func resolved(_ path: String) -> String? {
    guard let full = self.path(of: path), Self.isInside(full, root: root) else { return nil }
    return full
  }
}

extension ExportFolder {
  /// Makes one of the files passed to ``begin(_:)`` a hard link.
  ///
  /// - Parameter source: the absolute path of a regular file, without links.
  /// - Returns: false if the file systems do not allow it.
  /// - Throws: ``OutputError``.
  func link(_ name: String, to source: String) throws(OutputError) -> Bool {
    do {
      let root = try OpenFolder(path)
      try root.remove(name)
      let parent = name.parentFolder
      let place = try root.folder(parent).path + "/" + (name as NSString).lastPathComponent
      return Foundation.link(source, place) == 0
    } catch {
      throw OutputError(error)
    }
  }
}
