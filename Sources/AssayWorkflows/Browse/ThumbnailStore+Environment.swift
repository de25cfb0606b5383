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
  /// - Returns: `nil` if there is no such folder, if it cannot be written, or if the limit is 0.
  /// - Throws: `RemoteError` if the limit is no size.
  package static func ofEnvironment() throws -> ThumbnailStore? {
    let environment = ProcessInfo.processInfo.environment
    var limit = defaultLimit
    if let text = environment[limitVariable], !text.isEmpty {
      guard text != "0" else { return nil }
      guard let bytes = ByteText.bytes(text) else {
        throw RemoteError.badSize(
          variable: limitVariable, text: text, allowed: "0 or a size from 1M")
      }
      limit = bytes
    }
    guard let folder = try? RemoteCache(environment: environment).folder else {
      return nil
    }
    return ThumbnailStore(path: folder + "/thumbnails.db", limit: limit)
  }
}
