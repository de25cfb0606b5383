import AssayCore
import Synchronization

/// The images that were decoded last, for work on their pixels: a person refines one image several times.
final class RasterCache: Sendable {
  private struct Entry {
    var name: String
    var raster: Raster<UInt8>
  }

  private let limit: Int
  /// The last used one at the end.
  private let entries = Mutex<[Entry]>([])

  /// - Parameter limit: in bytes. A larger image is not cached.
  init(limit: Int) { self.limit = limit }

  /// Returns the image with a name, and decodes it if it is not cached.
  func raster(_ name: String, _ decode: () throws -> Raster<UInt8>) rethrows -> Raster<UInt8> {
    let known = entries.withLock { entries -> Raster<UInt8>? in
      guard let place = entries.firstIndex(where: { $0.name == name }) else { return nil }
      let entry = entries.remove(at: place)
      entries.append(entry)
      return entry.raster
    }
    if let known { return known }
    let raster = try decode()
    entries.withLock { entries in
      guard raster.elements.count <= limit, !entries.contains(where: { $0.name == name }) else {
        return
      }
      entries.append(Entry(name: name, raster: raster))
      while entries.reduce(0, { $0 + $1.raster.elements.count }) > limit { entries.removeFirst() }
    }
    return raster
  }

  /// The number of bytes in the cache.
  var bytes: Int { entries.withLock { $0.reduce(0) { $0 + $1.raster.elements.count } } }
}
