import AssayCore
import AssayImaging
import AssayStore

/// A sample's image for writing: the encoded bytes, and the hash used in the ledger.
struct SampleFile: Sendable {
  var bytes: [UInt8]
  /// The hexadecimal SHA-256.
  var hash: String
}

/// The images of samples as files: source files byte for byte, embedded pixels as PNG.
///
/// A file that cannot be decoded as an image is rejected, because an untrusted catalog can name any
/// file on the machine.
struct SampleFiles: Sendable {
  /// A decoded image, and the hash used in the ledger.
  struct Picture: Sendable {
    var raster: Raster<UInt8>
    var hash: String
  }

  let catalog: Catalog
  let dataset: DatasetRecord

  /// - Throws: the catalog's read errors.
  func files(of samples: [SampleRecord]) throws -> [Result<SampleFile, SampleImageError>] {
    let embedded = try embedded(samples)
    return samples.map { sample in
      guard let location = sample.location else {
        return (embedded[sample.id] ?? .failure(.noPixels(key: sample.key))).flatMap { picture in
          do {
            let bytes = try ImageCodec.encodePNG(picture.raster)
            return .success(SampleFile(bytes: bytes, hash: picture.hash))
          } catch {
            return .failure(Self.unreadable(sample, sample.key, error))
          }
        }
      }
      return file(location, of: sample).flatMap { file in
        do {
          _ = try SampleImages.decode(file.bytes, in: sample.size)
          return .success(file)
        } catch {
          return .failure(Self.unreadable(sample, location, error))
        }
      }
    }
  }

  /// The decoded images, in the coordinate frame of the sample's size.
  ///
  /// - Throws: the catalog's read errors.
  func pictures(of samples: [SampleRecord]) throws -> [Result<Picture, SampleImageError>] {
    let embedded = try embedded(samples)
    return samples.map { sample in
      guard let location = sample.location else {
        return embedded[sample.id] ?? .failure(.noPixels(key: sample.key))
      }
      return file(location, of: sample).flatMap { file in
        do {
          let raster = try SampleImages.decode(file.bytes, in: sample.size)
          return .success(Picture(raster: raster, hash: file.hash))
        } catch {
          return .failure(Self.unreadable(sample, location, error))
        }
      }
    }
  }

  private func embedded(
    _ samples: [SampleRecord]
  ) throws -> [Int64: Result<Picture, SampleImageError>] {
    let embedded = samples.filter { $0.location == nil }
    let rasters = try SampleImages(catalog: catalog, dataset: dataset).rasters(of: embedded)
    return Dictionary(
      zip(embedded.map(\.id), rasters).map { id, raster in
        (id, raster.map { Picture(raster: $0, hash: Self.hash(of: $0)) })
      }, uniquingKeysWith: { first, _ in first })
  }

  private func file(
    _ location: String, of sample: SampleRecord
  ) -> Result<SampleFile, SampleImageError> {
    do {
      let tree = try DatasetRoot.tree(of: dataset)
      let bytes = try tree.readAll(location, limit: SampleImages.fileLimit)
      return .success(SampleFile(bytes: bytes, hash: ContentHash.of(bytes)))
    } catch {
      return .failure(Self.unreadable(sample, location, error, from: dataset.name))
    }
  }

  private static func unreadable(
    _ sample: SampleRecord, _ file: String, _ error: any Error, from dataset: String? = nil
  ) -> SampleImageError {
    let isGone = if case SourceError.missing = error { true } else { false }
    return .unreadable(
      key: sample.key, file: file, cause: "\(error)", movedFrom: isGone ? dataset : nil)
  }

  private static func hash(of raster: Raster<UInt8>) -> String {
    let format = raster.channels == 1 ? PixelFormat.gray8 : .rgb8
    let head = "\(format.rawValue) \(raster.width) \(raster.height)\n"
    return ContentHash.of(Array(head.utf8) + raster.elements)
  }
}
