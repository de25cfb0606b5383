import AssayCore
package import AssayStore
import Foundation

/// A folder with the parts of a run.
package struct PartFolder {
  /// A file under the name of a part that cannot be used, and the reason.
  package struct Unusable: Sendable {
    package var shard: Shard
    package var reason: String
  }

  package let path: String
  /// The readable parts, by shard.
  package private(set) var parts: [(shard: Shard, file: PartFile)] = []
  package private(set) var unusable: [Unusable] = []
  /// The command that makes a part, without its shard and its folder; `nil` for that of the parts.
  package var planCommand: String?
  /// The number of files that running or killed tasks have not finished.
  package private(set) var drafts = 0

  /// Returns whether a path is a folder.
  package static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns whether a path is a folder with files under names of parts, which are not read.
  ///
  /// - Throws: ``PartError/noFolder(path:reason:)`` for a folder that cannot be read.
  package static func hasParts(_ path: String) throws(PartError) -> Bool {
    guard isFolder(path) else { return false }
    do throws(FileFailure) {
      return try OpenFolder(path).names().contains { Shard(fileName: $0) != nil }
    } catch {
      throw .noFolder(path: path, reason: error.reason)
    }
  }

  /// Makes a folder for parts, unless it is there.
  ///
  /// - Throws: ``PartError/cannotWrite(path:reason:code:)``.
  package static func make(_ path: String) throws(PartError) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw .cannotWrite(path: path, reason: String(cString: strerror(errno)), code: errno)
  }

  /// Reads the identities of the parts in a folder.
  ///
  /// - Parameter verifies: true to compare all bytes of the parts with their hashes.
  /// - Throws: ``PartError/noFolder(path:reason:)``, `StoreError`.
  package init(_ path: String, verifies: Bool = false) throws {
    self.path = path
    let names: [String]
    do throws(FileFailure) { names = try OpenFolder(path).names() } catch {
      throw PartError.noFolder(path: path, reason: error.reason)
    }
    drafts = names.count { DraftName.isOne($0, of: .file) }
    let shards = names.compactMap { Shard(fileName: $0) }
    var next = 0
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: {
        defer { next += 1 }
        return next < shards.count ? shards[next] : nil
      },
      transform: { _, shard in (shard, try Self.file(path + "/" + shard.fileName, verifies)) },
      deliver: { (shard: Shard, file: Result<PartFile, PartFault>) in
        switch file {
        case .success(let file):
          let own = file.identity
          if own.shard == shard.number, own.shards == shard.count {
            parts.append((shard, file))
          } else {
            unusable.append(
              Unusable(shard: shard, reason: "contains the shard \(own.shard)/\(own.shards)"))
          }
        case .failure(let fault): unusable.append(Unusable(shard: shard, reason: "\(fault)"))
        }
      })
    func areOrdered(_ lhs: Shard, _ rhs: Shard) -> Bool {
      (lhs.count, lhs.number) < (rhs.count, rhs.number)
    }
    parts.sort { areOrdered($0.shard, $1.shard) }
    unusable.sort { areOrdered($0.shard, $1.shard) }
  }

  /// A part, or the reason why it cannot be used.
  private static func file(
    _ path: String, _ verifies: Bool
  ) throws -> Result<PartFile, PartFault> {
    do {
      let file = try PartFile(path)
      if verifies { try file.verify() }
      return .success(file)
    } catch let fault as PartFault {
      return .failure(fault)
    }
  }

  /// The numbers of shards of the readable parts: one, unless parts of several runs are mixed.
  package var counts: [Int] { Array(Set(parts.map(\.shard.count))).sorted() }

  /// The number of shards that most parts have, or that a job file states; `nil` if there is neither.
  package var count: Int? {
    let numbers = Dictionary(grouping: parts, by: \.shard.count).mapValues(\.count)
    return numbers.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      ?? unusable.first?.shard.count ?? SlurmJobs.shards(in: path)
  }

  /// The shards without a readable part.
  package var missing: [Shard] {
    guard let count, Shard(number: 1, of: count) != nil else { return [] }
    let there = Set(parts.filter { $0.shard.count == count }.map(\.shard.number))
    return (1...count).filter { !there.contains($0) }.compactMap { Shard(number: $0, of: count) }
  }

  /// The command that makes a shard's part; `nil` if no part says how.
  package func command(for shard: Shard) -> String? {
    let isPlanned = planCommand != nil && parts.allSatisfy { $0.file.identity.work == .prediction }
    let own = isPlanned ? planCommand : like(shard)?.command
    return own.map { Self.command($0, shard, in: path) }
  }

  /// The identity that most parts with the number of a shard's shards have; `nil` if there is none, or two are as
  /// frequent.
  private func like(_ shard: Shard) -> PartIdentity? {
    var groups: [(identity: PartIdentity, count: Int)] = []
    for (own, file) in parts where own.count == shard.count {
      if let place = groups.firstIndex(where: {
        file.identity.differences(from: $0.identity).isEmpty
      }) {
        groups[place].count += 1
      } else {
        groups.append((file.identity, 1))
      }
    }
    groups.sort { $0.count > $1.count }
    guard let most = groups.first, groups.count == 1 || groups[1].count < most.count else {
      return nil
    }
    return most.identity
  }

  /// A command with its shard and its folder.
  package static func command(_ command: String, _ shard: Shard, in folder: String) -> String {
    "\(command) --shard \(shard.text) --out \(ShellWord.quoted(folder))"
  }

  /// The files that are no usable part of the run that most parts belong to, a line each.
  package var conflicts: [String] {
    var lines: [String] = []
    if counts.count > 1 {
      lines.append(
        "parts of runs with different numbers of shards: "
          + counts.map { count in
            "\(parts.count { $0.shard.count == count }) of \(count)"
          }.joined(separator: ", ") + "; remove those of the other run: "
          + Self.names(parts.filter { $0.shard.count != count }.map(\.shard.fileName)))
    }
    for file in unusable {
      lines.append("\(file.shard.fileName) \(file.reason)" + advice(file.shard))
    }
    return lines + mixed
  }

  /// The number of missing shards that are listed with their commands.
  private static let listed = 20

  /// The problems that keep the parts from being one complete run, a line each; empty if there are none.
  package var problems: [String] {
    var lines = conflicts
    let damaged = Set(unusable.map(\.shard))
    let absent = missing.filter { !damaged.contains($0) }
    for shard in absent.prefix(Self.listed) {
      let advice = command(for: shard).map { ": \($0)" } ?? ""
      lines.append("the shard \(shard.text) is missing\(advice)")
    }
    if absent.count > Self.listed {
      lines.append(
        "\(absent.count - Self.listed) more shards are missing; assay status"
          + " \(ShellWord.quoted(path)) --json lists them")
    }
    return lines
  }

  private func advice(_ shard: Shard) -> String {
    "; remove it, then: " + (command(for: shard) ?? "run its command again")
  }

  /// The parts by the run that they are of.
  private var groups: [(identity: PartIdentity, parts: [(shard: Shard, file: PartFile)])] {
    var groups: [(identity: PartIdentity, parts: [(shard: Shard, file: PartFile)])] = []
    for part in parts {
      let place = groups.firstIndex { part.file.identity.differences(from: $0.identity).isEmpty }
      if let place {
        groups[place].parts.append(part)
      } else {
        groups.append((part.file.identity, [part]))
      }
    }
    return groups
  }

  /// The run of most parts; `nil` if there are none.
  private var most: (identity: PartIdentity, parts: [(shard: Shard, file: PartFile)])? {
    groups.max { $0.parts.count < $1.parts.count }
  }

  /// The parts of the run that most are of, with its number of shards: those that count, if no other is removed.
  package var own: [(shard: Shard, file: PartFile)] {
    let count = count
    return (most?.parts ?? []).filter { $0.shard.count == count }
  }

  /// Parts that differ from most others in a property of the run.
  private var mixed: [String] {
    guard let most else { return [] }
    return groups.compactMap { group in
      let differences = group.identity.differences(from: most.identity)
      guard !differences.isEmpty else { return nil }
      let names = Self.names(group.parts.map(\.shard.fileName))
      let values = differences.map { name in
        "\(name) \(Self.short(group.identity.value(name))) instead of"
          + " \(Self.short(most.identity.value(name)))"
      }
      return "parts of another run: \(names): " + values.joined(separator: "; ")
    }
  }

  private static func names(_ names: [String]) -> String {
    let more = names.count > 5 ? " and \(names.count - 5) more" : ""
    return names.prefix(5).joined(separator: ", ") + more
  }

  private static func short(_ value: JSONValue?) -> String {
    guard let value else { return "nothing" }
    let text = value.text ?? value.text()
    return text.count > 60 ? text.prefix(60) + "…" : text
  }
}
