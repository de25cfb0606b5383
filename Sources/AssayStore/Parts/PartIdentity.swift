package import AssayCore

/// The identity of a part: one shard of a run, with all that must be equal in parts of one run.
package struct PartIdentity: Hashable, Sendable {
  /// The number of the shard, from 1, and the number of shards.
  package var shard: Int
  package var shards: Int
  /// The properties of the whole run, which all its parts share, in a fixed order.
  package var facts: [JSONValue.Member]
  /// The command that makes the part, without its shard and its folder.
  package var command: String
  /// The absolute path of the catalog that the part was made with.
  package var catalog: String

  package init(
    shard: Int, shards: Int, facts: [JSONValue.Member], command: String, catalog: String
  ) {
    self.shard = shard
    self.shards = shards
    self.facts = facts
    self.command = command
    self.catalog = catalog
  }

  /// The identity as JSON text.
  package var text: String {
    JSONValue.object([
      .init("shard", JSONValue(shard)), .init("shards", JSONValue(shards)),
      .init("run", .object(facts)), .init("command", .string(command)),
      .init("catalog", .string(catalog)),
    ]).text()
  }

  /// Reads ``text`` back; `nil` for other text.
  package init?(_ text: String) {
    guard let json = try? JSONValue(parsing: text), let shard = json["shard"]?.whole,
      let shards = json["shards"]?.whole, shards > 0, (1...shards).contains(shard),
      let facts = json["run"]?.members, let command = json["command"]?.text,
      let catalog = json["catalog"]?.text
    else { return nil }
    self.init(shard: shard, shards: shards, facts: facts, command: command, catalog: catalog)
  }

  /// A property of the run; `nil` if the part has no such property.
  package func fact(_ name: String) -> JSONValue? { facts.first { $0.name == name }?.value }

  /// The properties of the run that differ from another part's, by name: `view`, `samples`, …. Of a property that is
  /// JSON text in both, the members that differ: `settings.flip`.
  package func differences(from other: PartIdentity) -> [String] {
    Self.union(facts, other.facts).filter { fact($0) != other.fact($0) }.flatMap { name in
      guard let own = members(name), let others = other.members(name) else { return [name] }
      let names = Self.union(own, others).map { name + "." + $0 }
        .filter { value($0) != other.value($0) }
      return names.isEmpty ? [name] : names
    }
  }

  /// The value of a name of ``differences(from:)``; `nil` if the part has no such property.
  package func value(_ name: String) -> JSONValue? {
    if let fact = fact(name) { return fact }
    guard let dot = name.firstIndex(of: ".") else { return nil }
    let member = name[name.index(after: dot)...]
    return members(String(name[..<dot]))?.first { $0.name == member }?.value
  }

  /// The members of a property that is JSON text; `nil` for another one.
  private func members(_ name: String) -> [JSONValue.Member]? {
    fact(name)?.text.flatMap { try? JSONValue(parsing: $0) }?.members
  }

  private static func union(
    _ members: [JSONValue.Member], _ others: [JSONValue.Member]
  ) -> [String] {
    let names = members.map(\.name)
    return names + others.map(\.name).filter { !names.contains($0) }
  }
}
