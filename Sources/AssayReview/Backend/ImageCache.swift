import Synchronization

/// Pictures that were made already, the ones asked for last, within a bound of bytes.
final class ImageCache: Sendable {
  private let limit: Int
  private let shelf = Mutex(Entries())

  /// - Parameter limit: in bytes. A picture beyond a quarter of it is not kept.
  init(limit: Int) { self.limit = limit }

  /// The picture under a name, made where it is not there. Two that ask at a time both make it.
  func picture(
    _ name: String, _ make: () throws -> PictureReply.Picture
  ) rethrows -> PictureReply.Picture {
    if let known = shelf.withLock({ $0.take(name) }) { return known }
    let made = try make()
    shelf.withLock { $0.put(made, name, limit: limit) }
    return made
  }

  /// The bytes that are kept.
  var bytes: Int { shelf.withLock { $0.bytes } }
}

/// The pictures of a ``ImageCache``, each with the time of its last use.
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
    // Some are dropped at a time, so that a full shelf is not sorted for each picture.
    for (name, entry) in pictures.sorted(by: { $0.value.used < $1.value.used }) {
      guard bytes > limit - limit / 8 else { break }
      bytes -= entry.picture.bytes.count
      pictures[name] = nil
    }
  }
}
