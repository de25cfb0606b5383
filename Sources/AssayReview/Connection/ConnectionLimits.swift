import NIOCore

/// The limits of one connection, the server's outermost protection.
struct ConnectionLimits: Sendable {
  /// The maximum number of connections; if there are more, those that keep nobody
  /// waiting give way (``OpenConnections``).
  var connections = 128
  /// The number of additional connections that are accepted until others are
  /// closed; further connections wait.
  var spare = 32
  /// The maximum number of requests on a connection without a complete answer.
  var pipelined = 16
  /// The maximum size of a header with its name, and of all headers of a request, in bytes.
  var headerField = 8 << 10
  var headers = 16 << 10
  var headerCount = 64
  /// The maximum length of a request target, in bytes.
  var target = 2 << 10
  /// The maximum time from the start of a connection to the end of its first request's headers.
  var firstHeaders = TimeAmount.seconds(10)
  /// The maximum time from an answer to the end of the next request's headers.
  var idle = TimeAmount.seconds(90)
  /// The maximum time between two pieces of a body, and for the whole body.
  var bodyPause = TimeAmount.seconds(20)
  var body = TimeAmount.seconds(120)
  /// The maximum time between two pieces of an answer that the client accepts.
  var writePause = TimeAmount.seconds(30)
  /// The time that an active connection keeps its place when other clients need one.
  var patience = TimeAmount.seconds(1)
  /// The time for the client to close after the last answer.
  var farewell = TimeAmount.seconds(2)
  /// The interval between checks of the deadlines.
  var tick = TimeAmount.milliseconds(500)
  /// The clock for all of these times.
  var clock: @Sendable () -> NIODeadline = { .now() }
}
