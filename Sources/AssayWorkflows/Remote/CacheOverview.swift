package import AssayCore
import AssayRemote
import AssayStore
import Foundation

/// The state of the cache for sources that are not local, and of the thumbnails on disk.
package struct CacheOverview: Sendable {
  package var folder: String
  /// The maximum number of bytes.
  package var limit: Int
  package var files: Int
  package var bytes: Int
  /// The number of files and bytes that were removed; `nil` if nothing was to be.
  package var removed: (files: Int, bytes: Int)?
  /// The thumbnails of the pages on disk, and their limit in bytes; `nil` if there are none.
  package var thumbnails: (pictures: Int, bytes: Int, limit: Int)?

  /// Reads the cache of this process's environment.
  ///
  /// - Parameter clears: true to remove all files before.
  /// - Throws: `RemoteError`.
  package static func read(clears: Bool) throws -> CacheOverview {
    let cache = try RemoteCache(environment: ProcessInfo.processInfo.environment)
    let removed = clears ? cache.clear() : nil
    let usage = cache.usage()
    let thumbnails = try ThumbnailStore.ofEnvironment()
    if clears { _ = thumbnails?.clear() }
    let pictures = thumbnails?.usage
    return CacheOverview(
      folder: cache.folder, limit: cache.limit, files: usage.files, bytes: usage.bytes,
      removed: removed.map { ($0.files, $0.bytes) },
      thumbnails: thumbnails.flatMap { store in
        pictures.map { ($0.pictures, $0.bytes, store.limit) }
      })
  }
}
