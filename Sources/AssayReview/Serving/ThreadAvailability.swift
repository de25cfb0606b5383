import Foundation

/// Checks that the system lets this process start the threads that the server needs.
///
/// If a thread cannot be started, Dispatch and Swift's own pool wait without a message, and
/// NIO terminates the process.
enum ThreadAvailability {
  static let forRequests = 8
  static let ofPictures = 2
  static let ofComputations = 1
  static let ofSegments = 2

  /// The number of threads for the server's own pools, for NIO, Dispatch and Swift, and some for
  /// SQLite and the system.
  static var ofServer: Int {
    forRequests + ofPictures + ofComputations + ofSegments
      + 3 * ProcessInfo.processInfo.activeProcessorCount + 8
  }

  /// Starts the needed number of threads at the same time, and ends them again.
  ///
  /// - Parameter start: starts a thread that runs the closure; returns 0, or the error number.
  /// - Throws: ``ReviewServerError/threads(needed:possible:reason:)``.
  static func check(
    _ needed: Int, start: (@escaping @Sendable () -> Void) -> Int32 = Self.start
  ) throws(ReviewServerError) {
    let gate = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    var started = 0
    var code: Int32 = 0
    while started < needed, code == 0 {
      code = start {
        gate.wait()
        ended.signal()
      }
      if code == 0 { started += 1 }
    }
    for _ in 0..<started { gate.signal() }
    for _ in 0..<started { ended.wait() }
    guard code == 0 else {
      throw .threads(needed: needed, possible: started, reason: SystemText.error(code))
    }
  }

  private static func start(_ work: @escaping @Sendable () -> Void) -> Int32 {
    let box = Unmanaged.passRetained(ThreadBody(work))
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().work()
        return nil
      }, box.toOpaque())
    if code != 0 { box.release() }
    return code
  }
}

/// The work of a thread.
private final class ThreadBody: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
