import AssayCore
import AssayRemote
package import AssayStore
import Foundation

extension ThumbnailStore {
  /// The environment's variable with the limit; 0 keeps none on disk.
  package static let limitVariable = "ASSAY_THUMBNAILS_SIZE"
  package static let defaultLimit = 1 << 30

  /// The store `thumbnails.db` in the folder of the cache of this process's environment.
  ///
  /// - Returns: `nil` if there is no such folder, if it cannot be written, or if the limit is 0 or no size.
  package static func ofEnvironment() -> ThumbnailStore? {
    let environment = ProcessInfo.processInfo.environment
    var limit = defaultLimit
    if let text = environment[limitVariable], !text.isEmpty {
      guard let bytes = ByteText.bytes(text) else { return nil }
      limit = bytes
    }
    guard limit > 0, let folder = try? RemoteCache(environment: environment).folder else {
      return nil
    }
    return ThumbnailStore(path: folder + "/thumbnails.db", limit: limit)
  }
}
