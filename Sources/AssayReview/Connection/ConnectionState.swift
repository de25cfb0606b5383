import NIOCore

/// The state of a connection as a value: requests, replies, and the next deadline.
struct ConnectionState {
  enum Reading: Equatable {
    /// Forward it.
    case forward
    /// Drop it; it comes too late.
    case drop
    /// Send this refusal now, and end the connection.
    case refuse(RequestRefusal)
  }

  enum Writing: Equatable {
    case forward
    case drop
    /// Write it, then end the connection.
    case last
    /// Write it, then refuse the input after the request that it answers.
    case refuse(RequestRefusal)
  }

  /// The phase of the connection: which side it waits for, and since when.
  enum Standing: Equatable {
    /// Waiting for the client's first request.
    case new(since: NIODeadline)
    /// Waiting for the client's next request.
    case idle(since: NIODeadline)
    /// Waiting for the rest of a body.
    case reading(since: NIODeadline)
    /// Waiting for the client to accept an answer.
    case writing(since: NIODeadline)
    /// The client waits for the server.
    case working
  }

  private let limits: ConnectionLimits
  private let opened: NIODeadline
  /// The number of accepted requests whose answers are not complete.
  private var unanswered = 0
  /// True if the last of these requests is not complete.
  private var isReading = false
  /// True if an answer is partly written.
  private var isAnswering = false
  /// The times of the last request's head and of the last piece of its body.
  private var bodyStarted = NIODeadline.uptimeNanoseconds(0)
  private var bodyTaken = NIODeadline.uptimeNanoseconds(0)
  /// The refusal of the input after the last accepted request.
  private var refusal: RequestRefusal?
  /// True if no further requests are accepted.
  private var isLast = false
  private(set) var isClosing = false
  /// True if the client sent so many requests ahead that reading stops.
  private(set) var isOverrun = false
  /// The time by which the client must send the next bytes; `nil` while the server works.
  private var reading: NIODeadline?
  /// The number of pieces of answers that the system has not accepted yet, and the time when
  /// it last accepted one.
  private var unwritten = 0
  private var written = NIODeadline.uptimeNanoseconds(0)
  /// The time of the last complete reply; `nil` before the first.
  private var answered: NIODeadline?

  /// The time when the connection is closed; `nil` while the server works.
  var deadline: NIODeadline? {
    guard unwritten > 0 else { return reading }
    let writing = written + limits.writePause
    // A client that is still receiving the last answer is not cut off.
    return isClosing ? writing : min(reading ?? writing, writing)
  }

  var standing: Standing {
    if unwritten > 0 { return .writing(since: written) }
    if isReading { return .reading(since: bodyTaken) }
    if unanswered > 0 { return .working }
    return answered.map { .idle(since: $0) } ?? .new(since: opened)
  }

  init(limits: ConnectionLimits, now: NIODeadline) {
    self.limits = limits
    opened = now
    reading = now + limits.firstHeaders
  }

  /// Handles the head of a request.
  ///
  /// - Parameter isLast: true if the client wants this to be its last request.
  mutating func head(problem: RequestRefusal?, isLast: Bool, now: NIODeadline) -> Reading {
    guard !isClosing, !self.isLast else { return .drop }
    if let problem { return refuse(problem) }
    guard unanswered < limits.pipelined else {
      isOverrun = true
      return refuse(.busy)
    }
    unanswered += 1
    isReading = true
    self.isLast = isLast
    bodyStarted = now
    bodyTaken = now
    reading = now + limits.bodyPause
    return .forward
  }

  /// Handles a piece of a body.
  mutating func body(now: NIODeadline) -> Reading {
    guard isReading, !isClosing else { return .drop }
    bodyTaken = now
    reading = min(bodyStarted + limits.body, now + limits.bodyPause)
    return .forward
  }

  /// Handles the end of a request.
  mutating func end() -> Reading {
    guard isReading, !isClosing else { return .drop }
    isReading = false
    // The server is working now, unless the answer was sent before the end of the request.
    reading = unanswered > 0 ? nil : reading
    return .forward
  }

  /// Handles bytes that are not a valid request or body.
  mutating func failed(_ refusal: RequestRefusal) -> Reading {
    guard !isClosing, self.refusal == nil else { return .drop }
    if isReading {
      // Its answer would be to an incomplete request.
      isReading = false
      if !isAnswering, unanswered > 0 { unanswered -= 1 }
    }
    return refuse(refusal)
  }

  private mutating func refuse(_ refusal: RequestRefusal) -> Reading {
    isLast = true
    guard unanswered == 0 else {
      self.refusal = self.refusal ?? refusal
      return .drop
    }
    isClosing = true
    return .refuse(refusal)
  }

  /// Handles the head of an answer to be written.
  ///
  /// - Parameter isLast: true if the head states that the connection ends.
  mutating func answer(isLast: Bool) -> Writing {
    guard !isClosing, unanswered > 0 else { return .drop }
    isAnswering = true
    if isLast { self.isLast = true }
    return .forward
  }

  /// Handles a piece of an answer to be written.
  func answerBody() -> Writing { isAnswering && !isClosing ? .forward : .drop }

  /// Handles the end of an answer.
  mutating func answerEnd(now: NIODeadline) -> Writing {
    guard isAnswering, !isClosing else { return .drop }
    isAnswering = false
    unanswered -= 1
    answered = now
    if unanswered == 0, let refusal {
      isClosing = true
      reading = now + limits.farewell
      return .refuse(refusal)
    }
    if unanswered == 0, isLast {
      isClosing = true
      reading = now + limits.farewell
      return .last
    }
    if unanswered == 0, !isReading { reading = now + limits.idle }
    return .forward
  }

  /// Records that a piece of an answer is passed to the system.
  mutating func beginWriting(now: NIODeadline) {
    if unwritten == 0 { written = now }
    unwritten += 1
  }

  /// Records that the system has accepted a piece of an answer.
  mutating func endWriting(now: NIODeadline) {
    unwritten -= 1
    written = now
    // The time for the client to close starts when everything is written.
    if unwritten == 0, isClosing { reading = now + limits.farewell }
  }

  /// Handles the last answer: further input is dropped until the client closes.
  mutating func leave(now: NIODeadline) {
    isClosing = true
    reading = now + limits.farewell
  }

  /// Handles the stop of the server: it does not wait for requests that have not been sent yet.
  mutating func stop(now: NIODeadline) {
    isLast = true
    if isReading { reading = min(reading ?? now + limits.farewell, now + limits.farewell) }
  }
}
