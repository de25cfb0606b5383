/// The part that `assay predict --shard` makes.
package struct PartRequest: Hashable, Sendable {
  package var shard: Shard
  /// The folder for the parts.
  package var folder: String
  /// The command that makes the part, without its shard and its folder.
  package var command: String

  package init(shard: Shard, folder: String, command: String) {
    self.shard = shard
    self.folder = folder
    self.command = command
  }
}

/// A part as `assay predict --shard` left it.
package struct MadePart: Hashable, Sendable {
  package var shard: Shard
  package var path: String
  /// The number of samples of all shards.
  package var total: Int
}
