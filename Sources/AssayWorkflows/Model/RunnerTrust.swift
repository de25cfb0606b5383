import AssayCore
package import AssayInference
import AssayStore
import Foundation

/// The runners that this user trusts on this machine.
///
/// A runner is a program, so neither a manifest nor a catalog that came from elsewhere starts one: a file
/// in the user's own data folder says that this command, with these scripts, was looked at. There is a file for
/// each model, command and folder; only its owner can write it.
package struct RunnerTrust: Sendable {
  /// A file that a command names, with the hash it had when it was trusted.
  package struct Script: Hashable, Sendable {
    package let path: String
    /// SHA-256, hexadecimal.
    package let hash: String
  }

  /// The folder of the files.
  package let folder: String

  /// - Parameter environment: `XDG_DATA_HOME`, else `HOME`, has the user's data folder.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base =
      data ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
    folder = base + "/assay/runners"
  }

  /// Notes that a runner is trusted for a model.
  ///
  /// - Throws: ``RunnerTrustError``, `InferenceError` if a script cannot be read.
  func add(_ program: RunnerProgram, modelHash: String) throws {
    let scripts = try Self.scripts(of: program)
    let executable = Self.executable(of: program)
    let note: JSONValue = [
      "folder": .string(program.folder), "program": JSONValue(executable),
      "command": .array(program.command.words.map { .string($0) }),
      "scripts": .array(
        scripts.map { ["path": .string($0.path), "sha256": .string($0.hash)] }),
    ]
    let path = self.path(modelHash: modelHash, program)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Self.checkOwner(of: folder)
      let draft = path + ".\(getpid())"
      guard
        FileManager.default.createFile(
          atPath: draft, contents: Data((note.text() + "\n").utf8),
          attributes: [.posixPermissions: 0o600])
      else { throw CocoaError(.fileWriteUnknown) }
      guard rename(draft, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    } catch let error as RunnerTrustError {
      throw error
    } catch {
      throw RunnerTrustError.notKept(path: path, reason: error.localizedDescription)
    }
  }

  /// The program that was trusted for a model, if its scripts are still the same.
  ///
  /// - Throws: ``RunnerTrustError``.
  func program(
    _ program: RunnerProgram, model: String, modelHash: String
  ) throws -> RunnerProgram {
    let command = program.command
    let path = self.path(modelHash: modelHash, program)
    let untrusted = RunnerTrustError.untrusted(model: model, command: command.text)
    guard FileManager.default.fileExists(atPath: path) else { throw untrusted }
    try Self.checkOwner(of: folder)
    try Self.checkOwner(of: path)
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= 1 << 20,
      let note = try? JSONValue(parsing: Array(bytes), JSONReading()),
      note.member("folder")?.text == program.folder,
      let words = note.member("command")?.elements?.compactMap(\.text), words == command.words
    else { throw untrusted }
    if let executable = note.member("program")?.text, executable != Self.executable(of: program) {
      throw RunnerTrustError.changed(model: model, command: command.text, script: executable)
    }
    let trusted = (note.member("scripts")?.elements ?? []).compactMap { script in
      script.member("path")?.text.flatMap { path in
        script.member("sha256")?.text.map { Script(path: path, hash: $0) }
      }
    }
    let found = try Self.scripts(of: program)
    if let changed = Set(trusted).symmetricDifference(found).map(\.path).min() {
      throw RunnerTrustError.changed(model: model, command: command.text, script: changed)
    }
    return program
  }

  /// The files that a command names, with their hashes: its words that are paths of files, the program itself
  /// only if it is given by a path.
  ///
  /// - Throws: `InferenceError` for a file that cannot be read.
  package static func scripts(of program: RunnerProgram) throws(InferenceError) -> [Script] {
    let base = URL(fileURLWithPath: program.folder, isDirectory: true)
    var scripts: [Script] = []
    for (index, word) in program.command.words.enumerated()
    where word != RunnerCommand.modelMark && (index > 0 || word.contains("/")) {
      let path = URL(fileURLWithPath: word, relativeTo: base).standardizedFileURL.path
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        !isFolder.boolValue, !scripts.contains(where: { $0.path == path })
      else { continue }
      scripts.append(Script(path: path, hash: try ModelFile.ofRunner(path).hash))
    }
    return scripts
  }

  /// The file of the program that a command starts by its name alone, by PATH; `nil` for one given by its
  /// path, or one that is not found.
  private static func executable(of program: RunnerProgram) -> String? {
    guard let word = program.command.words.first, !word.contains("/") else { return nil }
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
    for folder in folders.split(separator: ":", omittingEmptySubsequences: false) {
      let place = URL(
        fileURLWithPath: String(folder), relativeTo: URL(fileURLWithPath: program.folder + "/"))
      let path = place.appendingPathComponent(word).standardizedFileURL.path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    return nil
  }

  private func path(modelHash: String, _ program: RunnerProgram) -> String {
    var hash = ContentHash()
    hash.update(
      "\(modelHash)\n\(program.folder)\0\(program.command.words.joined(separator: "\0"))")
    return folder + "/" + hash.hexadecimal() + ".json"
  }

  /// Refuses a file or folder that others can write.
  private static func checkOwner(of path: String) throws(RunnerTrustError) {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0,
      [S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)
    else { throw .unsafe(path: path) }
  }
}

/// The reasons why a runner is not started.
package enum RunnerTrustError: Error, Hashable, CustomStringConvertible {
  /// A new model whose manifest names a runner, with the scripts that the command names.
  case unseen(command: String, folder: String, scripts: [RunnerTrust.Script])
  case untrusted(model: String, command: String)
  case changed(model: String, command: String, script: String)
  /// A file of trusted runners that others can write, or that another user owns.
  case unsafe(path: String)
  case notKept(path: String, reason: String)

  package var description: String {
    switch self {
    case .unseen(let command, let folder, let scripts):
      "the manifest's runner is a program that this would start in \(folder): \(command)"
        + (scripts.isEmpty
          ? ". It names no file, so that a change of what it runs cannot be noticed"
          : ". It names "
            + scripts.map { "\($0.path) (SHA-256 \($0.hash.prefix(12))…)" }
            .joined(separator: " and "))
        + ". If you have read it and trust it, run the same command with --trust-runner"
    case .untrusted(let model, let command):
      "the model “\(model)” is computed by a program that was not trusted on this machine: \(command). Look at"
        + " it and its scripts, then add the model again with --trust-runner: assay model add FILE --manifest"
        + " MANIFEST --name \(model) --trust-runner"
    case .changed(let model, let command, let script):
      "\(script) has changed since the runner \(command) of “\(model)” was trusted. Look at it, then add the"
        + " model again with --trust-runner; under another name if its results differ from those of earlier runs"
    case .unsafe(let path):
      "\(path) says which runners are trusted, but another user owns it or can write it; remove it, and trust the"
        + " runners again"
    case .notKept(let path, let reason):
      "that the runner is trusted cannot be written to \(path): \(reason)"
    }
  }
}
