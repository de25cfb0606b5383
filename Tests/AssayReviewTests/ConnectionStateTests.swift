import NIOCore
import Testing

@testable import AssayReview

/// The states of a connection, without a real one.
struct ConnectionStateTests {
  private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
  private let limits = ConnectionLimits()

  private func state() -> ConnectionState { ConnectionState(limits: limits, now: start) }

  @Test("Until the first head there is a deadline; while the server works there is none")
  func deadlines() {
    var state = state()
    #expect(state.deadline == start + limits.firstHeaders)
    #expect(state.head(problem: nil, isLast: false, now: start) == .forward)
    #expect(state.deadline == start + limits.bodyPause)
    let later = start + .seconds(5)
    #expect(state.body(now: later) == .forward)
    #expect(state.deadline == later + limits.bodyPause)
    let late = start + limits.body - .seconds(1)
    #expect(state.body(now: late) == .forward)
    #expect(state.deadline == start + limits.body)
    #expect(state.end() == .forward)
    #expect(state.deadline == nil)
    #expect(state.answer(isLast: false) == .forward)
    #expect(state.answerEnd(now: late) == .forward)
    #expect(state.deadline == late + limits.idle)
  }

  @Test("A bad head is answered at once, and nothing after it is taken in")
  func refused() {
    var state = state()
    let problem = RequestRefusal.malformed("x")
    #expect(state.head(problem: problem, isLast: false, now: start) == .refuse(problem))
    state.leave(now: start)
    #expect(state.deadline == start + limits.farewell)
    #expect(state.head(problem: nil, isLast: false, now: start) == .drop)
    #expect(state.body(now: start) == .drop)
    #expect(state.end() == .drop)
    #expect(state.failed(problem) == .drop)
    #expect(state.answer(isLast: false) == .drop)
  }

  @Test("A bad head behind good ones waits for their answers")
  func behind() {
    var state = state()
    let problem = RequestRefusal.malformed("x")
    for _ in 0..<2 {
      #expect(state.head(problem: nil, isLast: false, now: start) == .forward)
      #expect(state.end() == .forward)
    }
    #expect(state.head(problem: problem, isLast: false, now: start) == .drop)
    #expect(state.head(problem: nil, isLast: false, now: start) == .drop)
    #expect(state.answer(isLast: false) == .forward)
    #expect(state.answerBody() == .forward)
    #expect(state.answerEnd(now: start) == .forward)
    #expect(state.answer(isLast: false) == .forward)
    #expect(state.answerEnd(now: start) == .refuse(problem))
    #expect(state.isClosing)
  }

  @Test("Garbage in the middle of a body takes the place of that request's answer")
  func garbage() {
    var state = state()
    let problem = RequestRefusal.malformed("x")
    _ = state.head(problem: nil, isLast: false, now: start)
    _ = state.body(now: start)
    #expect(state.failed(problem) == .refuse(problem))
    #expect(state.answer(isLast: false) == .drop)
    #expect(state.answerBody() == .drop)
    #expect(state.answerEnd(now: start) == .drop)
  }

  @Test("After the last request, of the client's or of the server's choice, the connection ends")
  func last() {
    var asked = state()
    _ = asked.head(problem: nil, isLast: true, now: start)
    _ = asked.end()
    #expect(asked.head(problem: nil, isLast: false, now: start) == .drop)
    _ = asked.answer(isLast: false)
    #expect(asked.answerEnd(now: start) == .last)
    #expect(asked.deadline == start + limits.farewell)
    var told = state()
    _ = told.head(problem: nil, isLast: false, now: start)
    _ = told.answer(isLast: true)
    #expect(told.answerEnd(now: start) == .last)
    #expect(told.body(now: start) == .drop)
  }

  @Test("A server that stops does not wait for half a request, and finishes what it has")
  func stopping() {
    var half = state()
    _ = half.head(problem: nil, isLast: false, now: start)
    half.stop(now: start)
    #expect(half.deadline == start + limits.farewell)
    var whole = state()
    _ = whole.head(problem: nil, isLast: false, now: start)
    _ = whole.end()
    whole.stop(now: start)
    #expect(whole.deadline == nil)
    _ = whole.answer(isLast: false)
    #expect(whole.answerEnd(now: start) == .last)
  }

  @Test("An answer that is not taken has a deadline, which each piece that is taken moves on")
  func writing() {
    var state = state()
    _ = state.head(problem: nil, isLast: false, now: start)
    _ = state.end()
    #expect(state.standing == .working)
    _ = state.answer(isLast: false)
    for _ in 0..<3 { state.beginWriting(now: start) }
    #expect(state.standing == .writing(since: start))
    #expect(state.deadline == start + limits.writePause)
    let later = start + limits.writePause - .seconds(1)
    state.endWriting(now: later)
    #expect(state.deadline == later + limits.writePause)
    _ = state.answerEnd(now: later)
    state.endWriting(now: later)
    state.endWriting(now: later)
    #expect(state.deadline == later + limits.idle)
    #expect(state.standing == .idle(since: later))
  }

  @Test("The last answer is not cut off while the client takes it")
  func lastAnswer() {
    var state = state()
    _ = state.head(problem: nil, isLast: true, now: start)
    _ = state.end()
    _ = state.answer(isLast: true)
    state.beginWriting(now: start)
    #expect(state.answerEnd(now: start) == .last)
    state.leave(now: start)
    #expect(state.deadline == start + limits.writePause)
    let later = start + limits.farewell + .seconds(5)
    state.endWriting(now: later)
    #expect(state.deadline == later + limits.farewell)
  }

  @Test("As many requests as the limit may wait for their answers; the next one is the last")
  func pipelined() {
    var state = state()
    for _ in 0..<limits.pipelined {
      #expect(state.head(problem: nil, isLast: false, now: start) == .forward)
      #expect(state.end() == .forward)
    }
    #expect(state.head(problem: nil, isLast: false, now: start) == .drop)
    #expect(state.end() == .drop)
    #expect(state.head(problem: nil, isLast: false, now: start) == .drop)
    for number in 1...limits.pipelined {
      _ = state.answer(isLast: false)
      let isLast = number == limits.pipelined
      #expect(state.answerEnd(now: start) == (isLast ? .refuse(.busy) : .forward))
    }
  }
}
