import AssayWorkflows
import Foundation

/// The one place where the program writes to standard output and standard error.
package enum Output {
  /// The exit status if they cannot be written: `EX_IOERR` of sysexits.
  package static let unwritableStatus: Int32 = 74

  /// Occupies the descriptors of the standard streams that were closed at the start. Otherwise a
  /// file that the program opens could get one of these descriptors and receive the output. Writing
  /// to them still fails.
  static func reserveDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is this one; standard input cannot be read, the others cannot be
      // written.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes a complete text.
  ///
  /// If the reader has closed its end, SIGPIPE ends the program, as usual.
  ///
  /// - Throws: ``OutputUnwritable``.
  package static func write(
    _ text: String, to stream: StandardStream = .standardOutput
  ) throws(OutputUnwritable) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Foundation.write(
          stream.rawValue, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        // Another process that shares the stream made it non-blocking.
        var waiting = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        throw OutputUnwritable(
          stream: stream,
          reason: errno == EBADF ? "it is closed" : String(cString: strerror(errno)))
      }
    }
  }

  /// Reports in one line on standard error that a stream cannot be written, if standard error can.
  ///
  /// - Parameter kept: what became of the work; empty if there is nothing to report.
  static func report(_ failure: OutputUnwritable, kept: String = "") {
    let text = "error: \(failure)" + (kept.isEmpty ? "" : "; \(kept)")
    try? write(text + "\n", to: .standardError)
  }
}

/// A standard stream by its descriptor.
package enum StandardStream: Int32, Sendable {
  case standardOutput = 1
  case standardError = 2
}

/// A standard stream cannot be written.
package struct OutputUnwritable: Error, CustomStringConvertible {
  package var stream: StandardStream
  /// The system's error message.
  package var reason: String

  package var description: String {
    let name = stream == .standardOutput ? "standard output" : "standard error"
    return "\(name) cannot be written: \(reason)"
  }
}
