import AssayCore
import Synchronization

/// One worker's sums of images of one size.
final class WorkerSums: Sendable {
  private let sums: Mutex<PixelSums>

  init(size: ImageSize, classes: Int) { sums = Mutex(PixelSums(size: size, classes: classes)) }

  func locked<Value>(_ body: (inout PixelSums) throws -> Value) rethrows -> Value {
    try sums.withLock { sums throws -> Value in try body(&sums) }
  }
}
