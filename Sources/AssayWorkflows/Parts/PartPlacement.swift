import AssayCore
import AssayStore
import Foundation

/// The place of one part in its folder: finds the part that is there, and places a new one once it is
/// complete.
struct PartPlacement {
  let shard: Shard
  let folder: OpenFolder

  /// The path of the part.
  var path: String { folder.path + "/" + shard.fileName }

  /// Opens the folder, which is made if it is missing.
  ///
  /// - Throws: ``PartError/cannotWrite(path:reason:code:)``.
  init(_ request: PartRequest) throws(PartError) {
    shard = request.shard
    let path = request.folder
    try PartFolder.make(path)
    do throws(FileFailure) { folder = try OpenFolder(path) } catch {
      throw .cannotWrite(path: path, reason: error.reason, code: error.code)
    }
  }

  /// The part of this shard that is there; `nil` if there is none.
  ///
  /// - Throws: ``PartError`` for a damaged part, or one of other work; `StoreError`.
  func present(like identity: PartIdentity) throws -> PartFile? {
    guard try folder.has(shard.fileName) else {
      try checkOthers(identity)
      return nil
    }
    let part: PartFile
    do {
      part = try PartFile(path)
    } catch let fault as PartFault {
      throw PartError.unusable(path: path, fault)
    }
    var differences = part.identity.differences(from: identity)
    if (part.identity.shard, part.identity.shards) != (identity.shard, identity.shards) {
      differences.append("shard")
    }
    guard differences.isEmpty else {
      throw PartError.otherPart(path: path, differences: differences)
    }
    return part
  }

  /// The number of other parts that are read: all parts of a folder were compared with some before them.
  private static let compared = 8

  /// Refuses a folder with parts of other work or of another run.
  ///
  /// - Throws: ``PartError/otherParts(folder:names:more:differences:)``; `StoreError`.
  private func checkOthers(_ identity: PartIdentity) throws {
    let others = try folder.names().compactMap { Shard(fileName: $0) }.filter { $0 != shard }
      .sorted { ($0.count, $0.number) < ($1.count, $1.number) }
    let divided = others.filter { $0.count != shard.count }
    var names = divided.map(\.fileName)
    var differences = divided.isEmpty ? [] : ["number of shards"]
    for other in others.filter({ $0.count == shard.count }).prefix(Self.compared) {
      // assay status names files that cannot be read.
      guard let part = try? PartFile(folder.path + "/" + other.fileName) else { continue }
      let own = part.identity.differences(from: identity)
      guard !own.isEmpty else { continue }
      names.append(other.fileName)
      differences += own.filter { !differences.contains($0) }
    }
    guard !names.isEmpty else { return }
    throw PartError.otherParts(
      folder: folder.path, names: Array(names.prefix(5)), more: max(0, names.count - 5),
      differences: differences)
  }

  /// Places a complete part.
  ///
  /// - Returns: `nil` if it was placed; the part that another task placed meanwhile.
  /// - Throws: ``PartError``, `StoreError`.
  func place(_ draft: PartDraft, like identity: PartIdentity) throws -> PartFile? {
    if Interruption.isRequested { throw PartError.interrupted(shard) }
    guard try !draft.place(as: shard, in: folder) else { return nil }
    guard let present = try present(like: identity) else {
      throw PartError.cannotWrite(path: path, reason: "it was removed meanwhile", code: EAGAIN)
    }
    return present
  }
}
