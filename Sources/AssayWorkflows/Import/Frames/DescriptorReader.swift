import Foundation

/// Reads from a file descriptor, and ends with Ctrl-C while it waits.
struct DescriptorReader: Sendable {
  let descriptor: Int32
  /// The path for messages.
  let path: String

  /// Up to `buffer.count` bytes; 0 at the end.
  ///
  /// - Throws: ``FilmError/unreadable(path:reason:)``; ``Interrupted``.
  func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      try Interruption.check("nothing was imported")
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wanted, 1, 200)
      if ready == 0 || ready < 0 && errno == EINTR { continue }
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else {
        throw FilmError.unreadable(path: path, reason: String(cString: strerror(errno)))
      }
      return count
    }
  }
}
