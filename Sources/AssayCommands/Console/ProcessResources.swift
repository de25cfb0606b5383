import AssayCore
import Foundation

/// Resources of the process that a command needs: open files, threads, and errors in place of signals.
///
/// Libraries wait forever for a thread that cannot be started, and abort if a file cannot be opened, so
/// both limits are checked first.
enum ProcessResources {
  /// The minimum number of open files.
  static let leastFiles = 64
  /// The minimum number of threads, independent of the number of cores.
  static let fewestThreads = 8
  /// The number of open files that is requested if the hard limit allows it.
  private static let usualFiles: rlim_t = 1024

  /// - Throws: ``FileShortage``, `ThreadShortage`.
  static func claim() throws {
    // A write beyond the file size limit then fails with an ordinary error.
    signal(SIGXFSZ, SIG_IGN)
    try claimFiles()
    try tryThreads(fewestThreads)
  }

  private static func claimFiles() throws {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < usualFiles else { return }
    limit.rlim_cur = min(usualFiles, limit.rlim_max)
    _ = setrlimit(resource, &limit)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur >= rlim_t(leastFiles) else {
      throw FileShortage(limit: Int(clamping: limit.rlim_cur), needed: leastFiles)
    }
  }

  /// Starts `count` threads at the same time, then ends them.
  private static func tryThreads(_ count: Int) throws {
    let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    gate.initialize(to: pthread_mutex_t())
    pthread_mutex_init(gate, nil)
    pthread_mutex_lock(gate)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 256 << 10)
    var threads: [pthread_t] = []
    var refusal: Int32 = 0
    while threads.count < count, refusal == 0 {
      var thread = pthread_t()
      refusal = pthread_create(
        &thread, &attributes,
        { gate in
          // Waits until all threads have been started.
          guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
          pthread_mutex_lock(gate)
          pthread_mutex_unlock(gate)
          return nil
        }, gate)
      if refusal == 0 { threads.append(thread) }
    }
    pthread_mutex_unlock(gate)
    for thread in threads { pthread_join(thread, nil) }
    pthread_attr_destroy(&attributes)
    pthread_mutex_destroy(gate)
    gate.deallocate()
    if refusal != 0 {
      throw ThreadShortage(
        started: threads.count, needed: count, reason: String(cString: strerror(refusal)))
    }
  }
}

/// A limit on open files that is too low.
struct FileShortage: Error, Hashable, CustomStringConvertible {
  var limit: Int
  var needed: Int

  var description: String {
    "only \(limit) files may be open at once; at least \(needed) are needed. Raise the limit:"
      + " ulimit -n 1024"
  }
}
