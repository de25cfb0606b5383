import NIOCore

/// The limits of one connection: the outermost protection of the server.
struct ConnectionLimits: Sendable {
  /// Connections at a time; where more come, those give way that keep nobody waiting (``OpenConnections``).
  var connections = 128
  /// The number of additional connections that are accepted until others are closed; further ones
  /// wait.
  var spare = 32
  /// Requests that a connection may have sent without having got their answers.
  var pipelined = 16
  /// A header with its name, and all of a request, in bytes.
  var headerField = 8 << 10
  var headers = 16 << 10
  var headerCount = 64
  /// The longest target of a request, in bytes.
  var target = 2 << 10
  /// From the start of a connection to the end of its first request's headers.
  var firstHeaders = TimeAmount.seconds(10)
  /// From one answer to the end of the next request's headers.
  var idle = TimeAmount.seconds(90)
  /// Between two pieces of a body, and for all of it.
  var bodyPause = TimeAmount.seconds(20)
  var body = TimeAmount.seconds(120)
  /// Between two pieces of an answer that the client takes.
  var writePause = TimeAmount.seconds(30)
  /// The time that an active connection keeps its place when others want one.
  var patience = TimeAmount.seconds(1)
  /// For the client to close after the last answer.
  var farewell = TimeAmount.seconds(2)
  /// The interval between checks of the deadlines.
  var tick = TimeAmount.milliseconds(500)
  /// The time that all of these go by.
  var clock: @Sendable () -> NIODeadline = { .now() }
}
