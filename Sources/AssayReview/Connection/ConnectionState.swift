import NIOCore

/// The state of a connection as a value: requests, replies, and the next deadline.
struct ConnectionState {
  enum Reading: Equatable {
    /// Take it in.
    case forward
    /// It comes too late; drop it.
    case drop
    /// HTTPReply with this now, and end.
    case refuse(RequestRefusal)
  }

  enum Writing: Equatable {
    case forward
    case drop
    /// Write it, then end the connection.
    case last
    /// Write it, then refuse what came after the request that it answers.
    case refuse(RequestRefusal)
  }

  /// The phase of the connection, whom it waits for, and since when.
  enum Standing: Equatable {
    /// For the client's first request.
    case new(since: NIODeadline)
    /// For the client's next request.
    case idle(since: NIODeadline)
    /// For the rest of a body.
    case reading(since: NIODeadline)
    /// For the client to take an answer.
    case writing(since: NIODeadline)
    /// The client waits for the server.
    case working
  }

  private let limits: ConnectionLimits
  private let opened: NIODeadline
  /// Requests taken in whose answers are not complete.
  private var unanswered = 0
  /// True if the last of them has not come in whole.
  private var isReading = false
  /// True if an answer is half written.
  private var isAnswering = false
  /// The times of the last request's head and of the last piece of its body.
  private var bodyStarted = NIODeadline.uptimeNanoseconds(0)
  private var bodyTaken = NIODeadline.uptimeNanoseconds(0)
  /// The reply to whatever came after the last accepted request.
  private var refusal: RequestRefusal?
  /// True if nothing is taken in any more.
  private var isLast = false
  private(set) var isClosing = false
  /// True if the client sent so far ahead that nothing more is read.
  private(set) var isOverrun = false
  /// The time by which the client must have sent the next bytes; `nil` while the server works.
  private var reading: NIODeadline?
  /// Pieces of answers that are not with the system yet, and when the last one was taken.
  private var unwritten = 0
  private var written = NIODeadline.uptimeNanoseconds(0)
  /// The time of the last complete reply; `nil` before the first.
  private var answered: NIODeadline?

  /// The time when the connection is closed in any case; `nil` while the server works.
  var deadline: NIODeadline? {
    guard unwritten > 0 else { return reading }
    let writing = written + limits.writePause
    // A client that still takes the last answer is not cut off.
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

  /// A request's head has come.
  ///
  /// - Parameter isLast: whether the client takes it for its last one.
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

  /// A piece of a body has come.
  mutating func body(now: NIODeadline) -> Reading {
    guard isReading, !isClosing else { return .drop }
    bodyTaken = now
    reading = min(bodyStarted + limits.body, now + limits.bodyPause)
    return .forward
  }

  /// A request has come in whole.
  mutating func end() -> Reading {
    guard isReading, !isClosing else { return .drop }
    isReading = false
    // The server is at work now, unless the answer was there before the end.
    reading = unanswered > 0 ? nil : reading
    return .forward
  }

  /// The bytes are no request, or no body.
  mutating func failed(_ refusal: RequestRefusal) -> Reading {
    guard !isClosing, self.refusal == nil else { return .drop }
    if isReading {
      // Its answer would be to half a request.
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

  /// An answer's head is to be written.
  ///
  /// - Parameter isLast: whether it says that the connection ends.
  mutating func answer(isLast: Bool) -> Writing {
    guard !isClosing, unanswered > 0 else { return .drop }
    isAnswering = true
    if isLast { self.isLast = true }
    return .forward
  }

  /// A piece of an answer is to be written.
  func answerBody() -> Writing { isAnswering && !isClosing ? .forward : .drop }

  /// An answer is complete.
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

  /// A piece of an answer is on its way to the system.
  mutating func beginWriting(now: NIODeadline) {
    if unwritten == 0 { written = now }
    unwritten += 1
  }

  /// The system has taken a piece of an answer.
  mutating func endWriting(now: NIODeadline) {
    unwritten -= 1
    written = now
    // The time to say good-bye begins when there is nothing left to say.
    if unwritten == 0, isClosing { reading = now + limits.farewell }
  }

  /// The last words are on their way: what still comes is dropped until the client closes.
  mutating func leave(now: NIODeadline) {
    isClosing = true
    reading = now + limits.farewell
  }

  /// The server is to stop: whoever has not sent its request yet is not waited for.
  mutating func stop(now: NIODeadline) {
    isLast = true
    if isReading { reading = min(reading ?? now + limits.farewell, now + limits.farewell) }
  }
}
