import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// The HTTP server: Hummingbird's HTTP/1.1 channel with the connection filter in front of a responder.
///
/// Only Hummingbird's server is used. Its router, middleware and file serving would double its
/// share of the first build's time.
enum ReviewApplication {
  /// Makes the server.
  ///
  /// - Parameter onListening: called with the port once connections are accepted.
  static func make(
    _ responder: ReviewResponder, host: String, port: Int, limits: ConnectionLimits = .init(),
    logger: Logger, onListening: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> any Service {
    let channel = HTTP1Channel(
      responder: { request, writer, channel in
        let response = await responder.respond(to: request, on: ObjectIdentifier(channel))
        do {
          try await writer.write(response: response.head, body: response.body)
        } catch is HTTPParserError {
          // A parser error would make the channel write a second response after the
          // beginning of this one.
          throw ReviewApplicationError.malformedBody
        }
      },
      configuration: .init(
        additionalChannelHandlers: [
          FilterInstaller(limits: limits, openConnections: responder.openConnections)
        ],
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.headerField, maxHeaderListSize: limits.headers,
          maxHeaderFieldCount: limits.headerCount)))
    return channel.server(
      configuration: .init(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: .maximum(
          limits.connections + limits.spare, logger: logger)),
      onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
  }

  /// Runs until `isStopped` returns true; requests in progress at that time are completed.
  static func run(
    _ application: any Service, logger: Logger,
    until isStopped: @escaping @Sendable () -> Bool
  ) async throws {
    var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(15)
    let group = ServiceGroup(configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      tasks.addTask {
        while !isStopped() { try await Task.sleep(for: .milliseconds(100)) }
        await group.triggerGracefulShutdown()
      }
      try await tasks.next()
      // The other task is the one that waits for the stop, or the server that is shutting down.
      if isStopped() { try await tasks.next() }
      tasks.cancelAll()
    }
  }
}

/// An error that ends a connection without another response.
enum ReviewApplicationError: Error {
  /// The body of a request could not be parsed while the response was written.
  case malformedBody
}
