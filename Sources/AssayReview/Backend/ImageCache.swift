import Synchronization

/// A cache of encoded images that keeps the most recently used ones, up to a number of bytes.
final class ImageCache: Sendable {
  private let limit: Int
  private let shelf = Mutex(Entries())

  /// - Parameter limit: in bytes. An image larger than a quarter of it is not cached.
  init(limit: Int) { self.limit = limit }

  /// Returns the image with a name, and makes it if it is not cached. Two concurrent callers
  /// can both make it.
  func picture(
    _ name: String, _ make: () throws -> PictureReply.Picture
  ) rethrows -> PictureReply.Picture {
    if let known = shelf.withLock({ $0.take(name) }) { return known }
    let made = try make()
    shelf.withLock { $0.put(made, name, limit: limit) }
    return made
  }

  /// The number of bytes in the cache.
  var bytes: Int { shelf.withLock { $0.bytes } }
}

/// The images of an ``ImageCache``, each with the time of its last use.
private struct Entries {
  var pictures: [String: (picture: PictureReply.Picture, used: UInt64)] = [:]
  var bytes = 0
  var clock: UInt64 = 0

  mutating func take(_ name: String) -> PictureReply.Picture? {
    guard let found = pictures[name] else { return nil }
    clock += 1
    pictures[name]?.used = clock
    return found.picture
  }

  mutating func put(_ picture: PictureReply.Picture, _ name: String, limit: Int) {
    guard picture.bytes.count <= limit / 4, pictures[name] == nil else { return }
    clock += 1
    pictures[name] = (picture, clock)
    bytes += picture.bytes.count
    guard bytes > limit else { return }
    // Several images are removed at a time, so that a full cache is not sorted for each image.
    for (name, entry) in pictures.sorted(by: { $0.value.used < $1.value.used }) {
      guard bytes > limit - limit / 8 else { break }
      bytes -= entry.picture.bytes.count
      pictures[name] = nil
    }
  }
}
