import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The server as Hummingbird runs it, of the parts that have been made for it.
enum ReviewApplication {
  /// - Parameter onListening: gets the port.
  static func make(
    _ responder: ReviewResponder, host: String, port: Int, limits: ConnectionLimits = .init(),
    logger: Logger, onListening: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> Application<ReviewResponder> {
    Application(
      responder: responder,
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [
            GateInstaller(limits: limits, crowd: responder.crowd)
          ],
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: limits.headerField, maxHeaderListSize: limits.headers,
            maxHeaderFieldCount: limits.headerCount))),
      configuration: .init(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: .maximum(
          limits.connections + limits.spare, logger: logger)),
      onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) },
      logger: logger)
  }

  /// Runs until `isStopped` says so; what is being answered then is answered.
  static func run(
    _ application: Application<ReviewResponder>, logger: Logger,
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
      // The other one is the watch, or the server that comes to its end.
      if isStopped() { try await tasks.next() }
      tasks.cancelAll()
    }
  }
}
