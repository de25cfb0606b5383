package import ArgumentParser
import AssayCore
import AssayWorkflows
import Foundation

/// The limits of the process in which a model is read and run.
package struct ModelLimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The memory limit of the model: 512M, 8G. Default: half of the machine's memory.",
      valueName: "size"))
  package var maxMemory: String?

  @Option(
    help: ArgumentHelp(
      """
      The CPU time limit of one step per thread, in seconds: reading the model, compiling it, running \
      it on one batch. A step without any CPU time, or a process suspended by a signal, is \
      stopped after the same time, at least 60 seconds.
      """, valueName: "s"))
  package var maxSeconds = ModelLimits.defaultSeconds

  @Option(help: ArgumentHelp("The maximum number of open files.", valueName: "n"))
  package var maxFiles = ModelLimits.defaultFiles

  package init() {}

  package func validate() throws {
    if let maxMemory {
      guard let bytes = ByteText.bytes(maxMemory) else {
        throw ValidationError(
          "--max-memory is “\(maxMemory)”; expected a number with a unit, such as 512M or 8G")
      }
      guard bytes >= ModelLimits.leastMemory else {
        throw ValidationError(
          "--max-memory is \(maxMemory); it must be at least "
            + ByteText.text(ModelLimits.leastMemory))
      }
    }
    guard (1...1_000_000).contains(maxSeconds) else {
      throw ValidationError("--max-seconds is \(maxSeconds); it must be from 1 to 1,000,000")
    }
    guard (ModelLimits.leastFiles...1_048_576).contains(maxFiles) else {
      throw ValidationError(
        "--max-files is \(maxFiles); it must be from \(ModelLimits.leastFiles) to 1,048,576")
    }
  }

  /// Continues in a child process with these limits. Does not return in the parent: it throws the
  /// child's exit status, or the reason why it was stopped.
  ///
  /// - Parameter isServing: true for a server, which works also between steps of the model.
  func enterChild(isServing: Bool = false) throws {
    var limits = ModelLimits(
      memory: maxMemory.flatMap(ByteText.bytes), seconds: maxSeconds, files: maxFiles)
    limits.isServing = isServing
    let status: Int32?
    do {
      status = try SupervisedProcess.enterChild(limits)
    } catch {
      // The child can leave its progress bar on the terminal.
      if isatty(2) == 1 { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
      throw error
    }
    if let status { throw ExitCode(status) }
  }
}
