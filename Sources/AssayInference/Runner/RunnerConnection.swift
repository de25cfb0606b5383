package import AssayCore
import COpenVINO
import Foundation

/// The pipes to a runner: lines of JSON, each followed by the arrays that it announces.
///
/// For one thread at a time. There is no limit of time here: the process that runs models is watched by its
/// parent, which stops it, and with it the runner.
final class RunnerConnection {
  /// The maximum length of a line in bytes.
  static let lineLimit = 1 << 20
  /// The maximum size of an array that is read, in bytes: 4 GiB.
  static let arrayLimit = 1 << 32
  /// The end of the messages that is kept, in bytes.
  private static let messagesKept = 4096
  /// The time in milliseconds that a runner gets to end by itself.
  private static let grace: Int32 = 2000

  private let title: String
  private var runner: assay_runner
  private var buffer: [UInt8] = []
  /// The number of bytes of ``buffer`` that were taken.
  private var taken = 0
  private var messages: [UInt8] = []
  private var isEnded = false

  /// Starts a program.
  ///
  /// - Throws: ``InferenceError/runnerFailed(command:reason:messages:)`` if it cannot be started.
  init(_ program: RunnerProgram, model: String) throws(InferenceError) {
    title = program.title
    var texts = program.command.arguments(model: model).map { strdup($0) }
    texts.append(nil)
    defer { for text in texts { free(text) } }
    var started = assay_runner()
    do throws(OpenVINOFault) {
      try OpenVINOFault.check { error, capacity in
        texts.withUnsafeBufferPointer { buffer in
          buffer.withMemoryRebound(to: UnsafePointer<CChar>?.self) {
            assay_runner_start($0.baseAddress, program.folder, &started, error, capacity)
          }
        }
      }
    } catch {
      throw .runnerFailed(
        command: program.title, reason: "it cannot be started: \(error.text)", messages: "")
    }
    runner = started
  }

  deinit {
    var outlived = false
    if !isEnded { _ = assay_runner_end(&runner, Self.grace, &outlived) }
  }

  /// An error about this runner, with what it printed last.
  func failure(_ reason: String) -> InferenceError {
    readMessages()
    return .runnerFailed(
      command: title, reason: reason,
      messages: String(decoding: messages, as: UTF8.self))
  }

  // MARK: Writing

  /// Sends a request.
  func send(_ line: JSONValue) throws(InferenceError) {
    let bytes = Array((line.text() + "\n").utf8)
    let sent: Result<Void, InferenceError> = bytes.withUnsafeBytes { bytes in
      do throws(InferenceError) {
        return .success(try write(bytes))
      } catch {
        return .failure(error)
      }
    }
    try sent.get()
  }

  /// Writes bytes, while what the runner prints is read.
  func write(_ bytes: UnsafeRawBufferPointer) throws(InferenceError) {
    var done = 0
    while done < bytes.count {
      let count = assay_runner_write(
        runner.input, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      if count > 0 {
        done += Int(count)
      } else if count < 0, errno == EAGAIN {
        wait(for: runner.input, POLLOUT)
      } else if count < 0, errno != EINTR {
        throw ended()
      }
    }
  }

  // MARK: Reading

  /// Reads a line of JSON, an object.
  func line() throws(InferenceError) -> JSONValue {
    var searched = taken
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let text = Array(buffer[taken..<end])
        taken = end + 1
        guard let value = try? JSONValue(parsing: text, JSONReading()), value.members != nil else {
          throw failure(
            "it answered “\(String(decoding: text.prefix(200), as: UTF8.self))”, which is no JSON object."
              + " A runner writes nothing to its standard output but answers; print to standard error"
          )
        }
        return value
      }
      guard buffer.count - taken <= Self.lineLimit else {
        throw failure("its answer has a line of more than \(Self.lineLimit) bytes")
      }
      searched = buffer.count
      let before = taken
      try fill()
      searched -= before - taken
    }
  }

  /// Reads the header of an array and its values.
  func array(named name: String) throws(InferenceError) -> RunnerTensor {
    func read<Value>(
      _ body: () throws(NPYFault) -> Value
    ) throws(InferenceError) -> Value {
      do throws(NPYFault) { return try body() } catch {
        throw failure("its output “\(name)” \(error)")
      }
    }
    let start = try bytes(NPYHeader.startCount)
    let length = try read { () throws(NPYFault) in try NPYHeader.length(of: start) }
    let rest = try bytes(length - NPYHeader.startCount)
    let header = try read { () throws(NPYFault) in try NPYHeader(start + rest) }
    guard let count = header.byteCount, count <= Self.arrayLimit else {
      throw failure("its output “\(name)” has the shape \(header.shape), which is too large")
    }
    guard let element = TensorElement(header.element) else {
      throw failure("its output “\(name)” holds truth values; convert them to numbers")
    }
    return RunnerTensor(
      name: name, element: element, shape: header.shape, bytes: try bytes(count))
  }

  /// Reads exactly this many bytes.
  private func bytes(_ count: Int) throws(InferenceError) -> [UInt8] {
    let ready = min(count, buffer.count - taken)
    var result = Array(buffer[taken..<(taken + ready)])
    taken += ready
    result.reserveCapacity(min(count, 1 << 26))
    while result.count < count {
      let wanted = min(count - result.count, 1 << 20)
      let start = result.count
      result.append(contentsOf: repeatElement(0, count: wanted))
      var got = 0
      while got == 0 {
        got = result.withUnsafeMutableBytes {
          read(runner.output, $0.baseAddress?.advanced(by: start), wanted)
        }
        got = try checked(got)
      }
      result.removeLast(wanted - got)
    }
    return result
  }

  /// Reads what is there into ``buffer``; waits for at least one byte.
  private func fill() throws(InferenceError) {
    buffer.removeFirst(taken)
    taken = 0
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = try checked(read(runner.output, &piece, piece.count))
      if got > 0 {
        buffer += piece.prefix(got)
        return
      }
    }
  }

  /// The outcome of a `read`: the number of bytes, 0 after waiting for more.
  private func checked(_ count: Int) throws(InferenceError) -> Int {
    if count > 0 { return count }
    if count < 0, errno == EAGAIN {
      wait(for: runner.output, POLLIN)
      return 0
    }
    if count < 0, errno == EINTR { return 0 }
    throw ended()
  }

  /// Waits until a pipe is ready or closed, and reads what the runner prints.
  private func wait(for pipe: Int32, _ event: Int32) {
    var ends = [
      pollfd(fd: pipe, events: Int16(event), revents: 0),
      pollfd(fd: runner.messages, events: Int16(POLLIN), revents: 0),
    ]
    // A closed pipe of messages would be ready all the time.
    _ = poll(&ends, areMessagesOpen ? 2 : 1, -1)
    if areMessagesOpen, ends[1].revents != 0 { readMessages() }
  }

  private var areMessagesOpen = true

  private func readMessages() {
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    // A runner that prints without end must not keep this process from its answer.
    for _ in 0..<64 {
      let count = read(runner.messages, &piece, piece.count)
      if count == 0 { areMessagesOpen = false }
      guard count > 0 else { return }
      messages += piece.prefix(count)
      messages.removeFirst(max(0, messages.count - Self.messagesKept))
    }
  }

  /// The error about a runner that has closed its pipes.
  private func ended() -> InferenceError {
    // Its last messages can come after the end of its output.
    var end = pollfd(fd: runner.messages, events: Int16(POLLIN), revents: 0)
    for _ in 0..<64 where areMessagesOpen {
      _ = poll(&end, 1, 200)
      guard end.revents != 0 else { break }
      readMessages()
    }
    var ending = runner
    isEnded = true
    var outlived = false
    let status = assay_runner_end(&ending, Self.grace, &outlived)
    let signal = status < 0 || outlived ? 0 : status & 0x7F
    let reason =
      if status < 0 {
        "it ended"
      } else if outlived {
        "it closed its output"
      } else if signal == 0 {
        "it ended with the status \(status >> 8 & 0xFF)"
      } else {
        "it was ended by signal \(signal), \(String(cString: strsignal(signal)))"
          + (signal == SIGKILL ? "; the system does that when memory is short" : "")
      }
    return .runnerFailed(
      command: title, reason: reason, messages: String(decoding: messages, as: UTF8.self),
      signal: signal == 0 ? nil : signal)
  }
}

/// An array that a runner has sent.
struct RunnerTensor {
  let name: String
  let element: TensorElement
  let shape: [Int]
  /// The values, little-endian, slowest axis first.
  let bytes: [UInt8]
}

extension TensorElement {
  /// The type of a NumPy array's values; `nil` for truth values.
  package init?(_ element: NPYHeader.Element) {
    switch element {
    case .f2: self = .f16
    case .f4: self = .f32
    case .f8: self = .f64
    case .i1: self = .i8
    case .i2: self = .i16
    case .i4: self = .i32
    case .i8: self = .i64
    case .u1: self = .u8
    case .u2: self = .u16
    case .u4: self = .u32
    case .u8: self = .u64
    case .bool: return nil
    }
  }

  /// The same type in NumPy's spelling.
  var numpy: NPYHeader.Element {
    switch self {
    case .f16: .f2
    case .f32: .f4
    case .f64: .f8
    case .i8: .i1
    case .i16: .i2
    case .i32: .i4
    case .i64: .i8
    case .u8: .u1
    case .u16: .u2
    case .u32: .u4
    case .u64: .u8
    case .boolean: .bool
    }
  }
}
