import AssayInference
import Foundation
import Synchronization
import Testing

@testable import AssayWorkflows

/// Tests when a model's process is stopped because it takes too long.
struct ModelTimeLimitsTests {
  private func look(
    _ watch: inout ModelTimeLimits, steps: UInt64 = 0, inStep: Bool = true,
    _ state: ModelProcess.State = .usual, used time: Double, after gap: Duration = .seconds(1)
  ) -> SupervisedProcessError.Reason? {
    watch.look(
      at: ModelTimeLimits.Observation(
        steps: steps, threads: 2, isInStep: inStep, state: state, processorTime: time), after: gap)
  }

  @Test(
    "A process that a signal has suspended is stopped, during a step and between two",
    arguments: [true, false])
  func suspended(_ inStep: Bool) {
    var watch = ModelTimeLimits(limits: ModelLimits(seconds: 300))
    #expect(look(&watch, inStep: inStep, used: 5) == nil)
    for _ in 0..<299 {
      #expect(look(&watch, inStep: inStep, .suspended, used: 5) == nil)
    }
    #expect(look(&watch, inStep: inStep, .suspended, used: 5) == .suspended(seconds: 300))
  }

  @Test("A step that uses no processor time is stopped, after a minute at the earliest")
  func idle() {
    var watch = ModelTimeLimits(limits: ModelLimits(seconds: 1))
    #expect(look(&watch, used: 0.5) == nil)
    for _ in 0..<59 { #expect(look(&watch, used: 0.5) == nil) }
    #expect(look(&watch, used: 0.5) == .idle(seconds: 60))
  }

  @Test("A model that gets little of a loaded machine is not stopped")
  func loaded() {
    var watch = ModelTimeLimits(limits: ModelLimits(seconds: 60))
    // One millisecond per 50 s: two and a half hours for one step.
    for look in 1...200 {
      for _ in 0..<50 { #expect(self.look(&watch, used: Double(look) * 0.001) == nil) }
    }
  }

  @Test("A process that waits outside of a step, or that a debugger holds, is not stopped")
  func waiting() {
    var watch = ModelTimeLimits(limits: ModelLimits(seconds: 60))
    for _ in 0..<1_000 { #expect(look(&watch, inStep: false, used: 5) == nil) }
    for _ in 0..<1_000 { #expect(look(&watch, .traced, used: 5) == nil) }
  }

  @Test("Of a server only the time in steps counts")
  func serving() {
    var limits = ModelLimits(seconds: 60)
    limits.isServing = true
    var watch = ModelTimeLimits(limits: limits)
    for second in 1...1_000 {
      #expect(look(&watch, inStep: false, used: Double(second)) == nil)
    }
    #expect(look(&watch, used: 1_120) == nil)
    #expect(look(&watch, used: 1_121) == .time(seconds: 60))
  }

  @Test("Time in which the parent was suspended too does not count")
  func parent() {
    var watch = ModelTimeLimits(limits: ModelLimits(seconds: 60))
    #expect(look(&watch, used: 5) == nil)
    #expect(look(&watch, .suspended, used: 5, after: .seconds(86_400)) == nil)
    #expect(look(&watch, used: 5.1) == nil)
    #expect(look(&watch, .suspended, used: 5.1, after: .seconds(86_400)) == nil)
  }

  @Test("A step may use the limit of processor time on each of its threads, and no more")
  func processorTime() {
    var watch = ModelTimeLimits(limits: ModelLimits(seconds: 10))
    #expect(look(&watch, used: 19.9) == nil)
    #expect(look(&watch, steps: 1, used: 20) == nil)
    #expect(look(&watch, steps: 1, used: 39.9) == nil)
    #expect(look(&watch, steps: 1, used: 40.1) == .time(seconds: 10))
  }

  @Test("A child that SIGSTOP has suspended is ended")
  func child() throws {
    let child = try SuspendedChild()
    // Each check is a second later; a wait that does not stop the process would never end.
    let looks = Mutex(0)
    let start = ContinuousClock.now
    let work = SupervisedProcess(limits: ModelLimits(seconds: 1), child: child.child) {
      let count = looks.withLock { looks in
        looks += 1
        return looks
      }
      if count > 200 { kill(child.child.id, SIGKILL) }
      return start + .seconds(count)
    }
    let error = #expect(throws: SupervisedProcessError.self) { try work.wait() }
    #expect(error?.reason == .suspended(seconds: 60))
    #expect(kill(child.child.id, 0) == -1 && errno == ESRCH)
    #expect("\(try #require(error))".contains("SIGSTOP had suspended its process for 60 s"))
  }
}

/// A process that does nothing and has been suspended by SIGSTOP.
private struct SuspendedChild {
  let child: ModelProcess.Child

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Only the child has the writing end.
    posix_spawn_file_actions_adddup2(&actions, ends[1], 9)
    var id: pid_t = 0
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sleep"), strdup("1000"), nil]
    defer { for argument in arguments { free(argument) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    let code = posix_spawn(&id, "/bin/sleep", &actions, nil, arguments, &environment)
    close(ends[1])
    try #require(code == 0)
    child = ModelProcess.Child(id: id, alive: ends[0])
    kill(id, SIGSTOP)
    while ModelProcess.state(of: id) != .suspended { usleep(1_000) }
  }
}
