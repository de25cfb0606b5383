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
    guard try folder.has(shard.fileName) else { return nil }
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
