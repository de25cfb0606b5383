package import AssayCore
import AssayImaging
import Foundation

/// A mask drawn in another tool: a PNG with two values, where 0 is background.
package enum MaskFile {
  /// Reads a mask.
  ///
  /// - Throws: ``MaskFileError``.
  package static func read(_ path: String) throws(MaskFileError) -> Mask {
    let bytes: [UInt8]
    do {
      let tree = try DirectoryTree(path)
      guard tree.isSingleFile else { throw SourceError.special(path: path) }
      bytes = try tree.readAll(tree.name, limit: SampleImages.fileLimit)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
    let raster: Raster<UInt8>
    do {
      let header = try ImageCodec.header(of: bytes)
      if header.isLossy { throw MaskFileError.lossy(path: path, format: header.kind.name) }
      if header.bitDepth == 16, header.channels <= 2 {
        return try wideMask(try ImageCodec.decodeValues(bytes, oriented: true), path: path)
      }
      raster = try ImageCodec.decode(bytes, as: .stored)
    } catch let error as MaskFileError {
      throw error
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
    return try mask(raster, path: path)
  }

  /// The mask of values of 16 bits, all of which count.
  private static func wideMask(
    _ raster: Raster<UInt16>, path: String
  ) throws(MaskFileError) -> Mask {
    let masks = Mask.labels(of: raster)
    guard masks.count <= 2, masks.count < 2 || masks[0].value == 0 else {
      throw .values(path: path, count: masks.count, first: masks.prefix(4).map { Int($0.value) })
    }
    guard let last = masks.last, last.value > 0 else {
      return Mask(emptyOf: ImageSize(width: raster.width, height: raster.height))
    }
    return last.mask
  }

  private static func mask(
    _ raster: Raster<UInt8>, path: String
  ) throws(MaskFileError) -> Mask {
    var isThere = [Bool](repeating: false, count: 256)
    var plain = raster
    if raster.channels == 3 {
      var gray = [UInt8](repeating: 0, count: raster.width * raster.height)
      for place in gray.indices {
        let red = raster.elements[3 * place]
        guard red == raster.elements[3 * place + 1], red == raster.elements[3 * place + 2] else {
          throw .colors(path: path)
        }
        gray[place] = red
      }
      plain = Raster(width: raster.width, height: raster.height, elements: gray) ?? raster
    }
    plain.elements.withUnsafeBufferPointer { pixels in
      for pixel in pixels { isThere[Int(pixel)] = true }
    }
    let values = isThere.indices.filter { isThere[$0] }
    guard values.count <= 2, values.count < 2 || values[0] == 0 else {
      throw .values(path: path, count: values.count, first: Array(values.prefix(4)))
    }
    return Mask(plain)
  }
}

/// The reasons why a file is not a mask.
package enum MaskFileError: Error, Hashable {
  case unreadable(path: String, reason: String)
  /// An image whose format changes values, and its name.
  case lossy(path: String, format: String)
  case colors(path: String)
  /// More than one non-zero value: the number of values, and the first of them.
  case values(path: String, count: Int, first: [Int])
}

extension MaskFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(let path, let reason):
      reason.contains(path) ? reason : "\(path): \(reason)"
    case .lossy(let path, let format):
      "\(path) is a \(format), which changes values; save the mask as a black-and-white PNG"
    case .colors(let path):
      "\(path) is in color; a mask must be a PNG of black (outside) and white"
    case .values(let path, let count, let first):
      "\(path) has \(count) different values (\(first.map(String.init).joined(separator: ", "))"
        + (count > first.count ? ", …" : "")
        + "); expected two: 0 outside and one more inside. Threshold soft edges first"
    }
  }
}
