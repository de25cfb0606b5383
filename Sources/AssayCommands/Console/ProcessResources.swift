import AssayCore
import Foundation

/// What the system must give a process before a command begins: files, threads, and errors instead of
/// signals.
///
/// Where threads cannot be started the libraries below wait for them for ever, and where files cannot be
/// opened they end the program; so both are tried first.
enum ProcessResources {
  /// The open files that a command needs at least.
  static let leastFiles = 64
  /// The threads that a command needs at least, whatever the number of cores.
  static let fewestThreads = 8
  /// The open files that are asked for where more are allowed.
  private static let usualFiles: rlim_t = 1024

  /// - Throws: ``FileShortage``, `ThreadShortage`.
  static func claim() throws {
    // A write past the limit on file size fails like any other.
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

  /// Starts so many threads at once, and ends them.
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
          // Waits until all have been started.
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

/// A limit of the system that leaves too few files to begin with.
struct FileShortage: Error, Hashable, CustomStringConvertible {
  var limit: Int
  var needed: Int

  var description: String {
    "only \(limit) files may be open at once; at least \(needed) are needed. Raise the limit:"
      + " ulimit -n 1024"
  }
}
