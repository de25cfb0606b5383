package import AssayCore
import AssayImaging
import AssayRemote

/// The files that an import found and fetched from a source that is not local.
package struct RemoteImport: Sendable {
  /// The address of the files, or of the images if they are elsewhere.
  package var address: String
  /// The number of files there, and of their bytes.
  package var files: Int
  package var bytes: Int
  /// The number of files that were fetched, and of their bytes; the others were in the cache or not needed.
  package var fetchedFiles: Int
  package var fetchedBytes: Int
  /// The folder of the cache and the maximum number of its bytes.
  package var cache: String
  package var limit: Int

  /// - Returns: `nil` if all sources are local.
  init?(_ tree: ListedTree, _ images: ListedTree?) {
    guard let remote = images?.source.remote ?? tree.source.remote else { return nil }
    address = remote.listing.address.text
    files = remote.listing.entries.count
    bytes = remote.listing.bytes
    (fetchedFiles, fetchedBytes) = (RemoteSources.fetched.files, RemoteSources.fetched.bytes)
    (cache, limit) = (remote.cache.folder, remote.cache.limit)
  }

  /// - Throws: `RemoteError/video(_:)` for a video on a server.
  static func check(_ tree: ListedTree) throws {
    guard let remote = tree.source.remote, remote.isSingleFile, tree.source.archive == nil else {
      return
    }
    var head = [UInt8](repeating: 0, count: 512)
    let count = try head.withUnsafeMutableBytes { try tree.read(tree.name, at: 0, into: $0) }
    if VideoContainer.detect(Array(head.prefix(count))) != nil {
      throw RemoteError.video(remote.listing.address.text)
    }
  }

  package var json: JSONValue {
    [
      "address": .string(address), "files": JSONValue(files), "bytes": JSONValue(bytes),
      "fetched": ["files": JSONValue(fetchedFiles), "bytes": JSONValue(fetchedBytes)],
      "cache": ["folder": .string(cache), "limit": JSONValue(limit)],
    ]
  }
}
