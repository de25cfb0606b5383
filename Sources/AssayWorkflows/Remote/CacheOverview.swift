package import AssayCore
import AssayRemote
import Foundation

/// The state of the cache for sources that are not local.
package struct CacheOverview: Sendable {
  package var folder: String
  /// The maximum number of bytes.
  package var limit: Int
  package var files: Int
  package var bytes: Int
  /// The number of files and bytes that were removed; `nil` if nothing was to be.
  package var removed: (files: Int, bytes: Int)?

  /// Reads the cache of this process's environment.
  ///
  /// - Parameter clears: true to remove all files before.
  /// - Throws: `RemoteError`.
  package static func read(clears: Bool) throws -> CacheOverview {
    let cache = try RemoteCache(environment: ProcessInfo.processInfo.environment)
    let removed = clears ? cache.clear() : nil
    let usage = cache.usage()
    return CacheOverview(
      folder: cache.folder, limit: cache.limit, files: usage.files, bytes: usage.bytes,
      removed: removed.map { ($0.files, $0.bytes) })
  }
}
