import NIOCore
import NIOHTTP1

/// A handler between the parser and Hummingbird on every connection: it rejects ambiguous request
/// heads, closes connections that time out or give way, and answers invalid HTTP, with the headers
/// that every answer has.
final class ConnectionFilter: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limits: ConnectionLimits
  private let openConnections: OpenConnections
  private var state: ConnectionState
  private var standing: ConnectionState.Standing?
  private var ticking: RepeatedTask?

  init(limits: ConnectionLimits, openConnections: OpenConnections) {
    self.limits = limits
    self.openConnections = openConnections
    state = ConnectionState(limits: limits, now: limits.clock())
  }

  private var now: NIODeadline { limits.clock() }

  /// The number of bytes read at a time: all of them are parsed before a refusal.
  private static let readSize = 1 << 15

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    try? channel.syncOptions?.setOption(
      .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
    let gate = NIOLoopBound(self, eventLoop: context.eventLoop)
    ticking = context.eventLoop.scheduleRepeatedTask(
      initialDelay: limits.tick, delay: limits.tick
    ) { _ in
      let gate = gate.value
      if let deadline = gate.state.deadline, deadline <= gate.now {
        channel.close(promise: nil)
      } else {
        gate.openConnections.shed(gate.limits, now: gate.now)
      }
    }
    tell(context)
    openConnections.shed(limits, now: now)
  }

  func handlerRemoved(context: ChannelHandlerContext) { end(context) }

  func channelInactive(context: ChannelHandlerContext) {
    end(context)
    context.fireChannelInactive()
  }

  private func end(_ context: ChannelHandlerContext) {
    ticking?.cancel()
    ticking = nil
    openConnections.remove(ObjectIdentifier(context.channel))
  }

  /// Reports the current phase of the connection.
  private func tell(_ context: ChannelHandlerContext) {
    guard ticking != nil, standing != state.standing else { return }
    standing = state.standing
    let channel = context.channel
    let gate = NIOLoopBound(self, eventLoop: context.eventLoop)
    openConnections.update(ObjectIdentifier(channel), state.standing) {
      channel.eventLoop.execute {
        // The next change is reported again.
        gate.value.standing = nil
        if gate.value.state.standing != .working { channel.close(promise: nil) }
      }
    }
  }

  func read(context: ChannelHandlerContext) {
    // Parsing and dropping further input would take time from waiting clients.
    if !state.isOverrun { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let reading =
      switch unwrapInboundIn(data) {
      case .head(let head):
        state.head(
          problem: RequestHeadCheck.problem(head, limits: limits),
          isLast: RequestHeadCheck.isLast(head),
          now: now)
      case .body: state.body(now: now)
      case .end: state.end()
      }
    tell(context)
    take(reading, context: context) { context.fireChannelRead(data) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError else {
      context.close(promise: nil)
      return
    }
    take(state.failed(RequestHeadCheck.refusal(for: error)), context: context) {}
  }

  private func take(
    _ reading: ConnectionState.Reading, context: ChannelHandlerContext, _ forward: () -> Void
  ) {
    switch reading {
    case .forward: forward()
    case .drop: break
    case .refuse(let refusal): refuse(refusal, context: context)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    let writing =
      switch part {
      case .head(let head):
        state.answer(isLast: head.headers[canonicalForm: "Connection"].contains("close"))
      case .body: state.answerBody()
      case .end: state.answerEnd(now: now)
      }
    switch writing {
    case .forward: send(wrapOutboundOut(Self.complete(part)), promise, context: context)
    case .drop: promise?.succeed()
    case .last:
      send(data, promise, context: context)
      context.flush()
      leave(context: context)
    case .refuse(let refusal):
      send(data, promise, context: context)
      refuse(refusal, context: context)
    }
    tell(context)
  }

  /// Writes a part of an answer, and records when the system accepts it.
  private func send(
    _ data: NIOAny, _ promise: EventLoopPromise<Void>?, context: ChannelHandlerContext
  ) {
    let taken = promise ?? context.eventLoop.makePromise(of: Void.self)
    state.beginWriting(now: now)
    let bound = NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop)
    taken.futureResult.whenComplete { _ in
      let (gate, context) = bound.value
      gate.state.endWriting(now: gate.now)
      gate.tell(context)
    }
    context.write(data, promise: taken)
  }

  /// Adds the common headers to an answer that Hummingbird makes itself.
  private static func complete(_ part: HTTPServerResponsePart) -> HTTPServerResponsePart {
    guard case .head(var head) = part else { return part }
    for field in ReplyHeaders.always where !head.headers.contains(name: field.name.rawName) {
      head.headers.add(name: field.name.rawName, value: field.value)
    }
    return .head(head)
  }

  private func refuse(_ refusal: RequestRefusal, context: ChannelHandlerContext) {
    let answer = HTTPReply(refusal)
    var headers = HTTPHeaders()
    for field in answer.fields { headers.add(name: field.name.rawName, value: field.value) }
    headers.replaceOrAdd(name: "Connection", value: "close")
    headers.replaceOrAdd(name: "Content-Length", value: String(answer.body.count))
    let head = HTTPResponseHead(
      version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
    send(wrapOutboundOut(.head(head)), nil, context: context)
    let body = context.channel.allocator.buffer(bytes: answer.body)
    send(wrapOutboundOut(.body(.byteBuffer(body))), nil, context: context)
    send(wrapOutboundOut(.end(nil)), nil, context: context)
    context.flush()
    leave(context: context)
  }

  /// Lets the client read the last answer: closing immediately while the client still
  /// sends would discard it.
  private func leave(context: ChannelHandlerContext) {
    state.leave(now: now)
    context.close(mode: .output, promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { state.stop(now: now) }
    // A client that sends nothing more has gone, as far as long computations are concerned: the connection itself stays
    // open for the answer.
    if let event = event as? ChannelEvent, event == .inputClosed {
      openConnections.end(ObjectIdentifier(context.channel))
    }
    context.fireUserInboundEventTriggered(event)
  }
}

/// Installs a ``ConnectionFilter`` directly after the parser, where Hummingbird has no hook.
final class FilterInstaller: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let limits: ConnectionLimits
  private let openConnections: OpenConnections

  init(limits: ConnectionLimits, openConnections: OpenConnections) {
    self.limits = limits
    self.openConnections = openConnections
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    do {
      let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(
        ConnectionFilter(limits: limits, openConnections: openConnections), position: .after(parser)
      )
    } catch {
      // Without the filter nothing is served.
      context.close(promise: nil)
    }
  }
}

/// Checks a request's head before it is used: it must name one server, and the end of its
/// body must be unambiguous.
enum RequestHeadCheck {
  /// The reason why a head is refused; `nil` for a valid one.
  static func problem(_ head: HTTPRequestHead, limits: ConnectionLimits) -> RequestRefusal? {
    let headers = head.headers
    if head.method == .CONNECT { return .badMethod(allowed: []) }
    guard head.version.major == 1, head.version.minor <= 1 else {
      return .malformed("this server speaks HTTP/1.1")
    }
    let target = head.uri.utf8
    if target.count > limits.target { return .targetTooLong }
    // Only the origin form is accepted: an absolute form would name a second host.
    guard target.first == UInt8(ascii: "/"), !target.starts(with: "//".utf8),
      target.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else { return .malformed("the request target must be a path on this server") }
    if headers["Host"].count != 1 { return .malformed("a request needs exactly one Host header") }
    let lengths = headers["Content-Length"]
    let codings = headers["Transfer-Encoding"]
    if !codings.isEmpty {
      guard lengths.isEmpty, codings.count == 1, codings[0].lowercased() == "chunked" else {
        return .malformed("the body length is specified twice")
      }
    } else if let length = lengths.first {
      guard lengths.count == 1, !length.isEmpty, length.utf8.count <= 15,
        length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { return .malformed("Content-Length must be a number") }
    }
    return nil
  }

  /// The reply to an error of the parser.
  static func refusal(for error: any Error) -> RequestRefusal {
    switch error as? HTTPParserError {
    case .headerOverflow: .headersTooLarge
    case .invalidEOFState, .closedConnection: .malformed("the request ends early")
    default: .malformed("this is not an HTTP request")
    }
  }

  /// Returns whether the client wants the connection to end after this request.
  static func isLast(_ head: HTTPRequestHead) -> Bool {
    let words = head.headers[canonicalForm: "Connection"].map { $0.lowercased() }
    return words.contains("close") || head.version.minor == 0 && !words.contains("keep-alive")
  }
}
