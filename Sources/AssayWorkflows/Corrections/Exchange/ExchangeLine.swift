import AssayCore
import AssayStore

/// The first line of a corrections file: the ledger it was exported from, and the exported part.
struct ExchangeHeader: Hashable {
  /// The format version that is written.
  static let version: Int64 = 1

  var ledger: String
  var createdAt: String
  /// The number of lines that follow.
  var entries: Int
  /// The sequence up to which entries were excluded.
  var since: Int64
  /// The dataset that the export is restricted to; `nil` for all.
  var dataset: String?
  /// The ledger's last entry at the time of the export.
  var head: LedgerHead

  var json: JSONValue {
    [
      "assayLedger": .integer(Self.version), "ledger": .string(ledger),
      "createdAt": .string(createdAt), "entries": JSONValue(entries), "since": .integer(since),
      "dataset": JSONValue(dataset),
      "head": ["sequence": .integer(head.sequence), "hash": .string(head.hash.hexadecimal)],
    ]
  }

  /// The reason why a line is not a header.
  enum Refusal: Error {
    case notOne(String)
    case laterVersion
  }

  init(ledger: Ledger, head: LedgerHead, entries: Int, since: Int64, dataset: String?) {
    self.ledger = ledger.uuid
    createdAt = ledger.createdAt
    self.entries = entries
    self.since = since
    self.dataset = dataset
    self.head = head
  }

  init(_ json: JSONValue) throws(Refusal) {
    guard case .integer(let version)? = json["assayLedger"] else {
      throw .notOne("its first line is not a header")
    }
    guard version <= Self.version else { throw .laterVersion }
    guard let ledger = json["ledger"]?.text, LedgerLimits.isUUID(ledger),
      case .integer(let entries)? = json["entries"], entries >= 0,
      case .integer(let since)? = json["since"],
      case .integer(let sequence)? = json["head"]?["sequence"],
      let hash = json["head"]?["hash"]?.text.flatMap([UInt8].init(hexadecimal:))
    else { throw .notOne("its first line lacks the ledger, the entries or the head") }
    self.ledger = ledger
    createdAt = json["createdAt"]?.text ?? ""
    self.entries = Int(entries)
    self.since = since
    dataset = json["dataset"]?.text
    head = LedgerHead(sequence: sequence, hash: hash)
  }
}

/// One entry as a line of a corrections file: the columns of the ledger under their names, and the
/// uuid of the entry that it follows.
///
/// The payload is a JSON object if encoding it reproduces the same bytes, which holds for
/// everything that this version writes; otherwise it is a string.
struct ExchangeLine: Hashable {
  var entry: LedgerEntry
  /// The uuid of the parent entry.
  var parent: String?

  var json: JSONValue {
    return [
      "sequence": .integer(entry.sequence), "uuid": .string(entry.uuid),
      "format": .integer(entry.format), "dataset": .string(entry.sample.dataset),
      "key": .string(entry.sample.key), "contentHash": .string(entry.sample.contentHash),
      "target": .string(entry.target), "kind": .string(entry.kind), "visit": .string(entry.visit),
      "parent": entry.parent.map { .integer($0) } ?? .null, "parentUuid": JSONValue(parent),
      "payload": payload,
      "previousHash": .string(entry.previousHash.hexadecimal),
      "hash": .string(entry.hash.hexadecimal),
    ]
  }

  private var payload: JSONValue {
    guard let object = try? JSONValue(parsing: entry.payload),
      object.canonicalText.isSame(as: entry.payload)
    else { return .string(entry.payload) }
    return object
  }

  init(entry: LedgerEntry, parent: String?) {
    self.entry = entry
    self.parent = parent
  }

  /// The reason why a line is not an entry.
  struct Fault: Error {
    var what: String
  }

  init(_ json: JSONValue) throws(Fault) {
    func text(_ name: String) throws(Fault) -> String {
      guard let text = json[name]?.text else { throw Fault(what: "it has no text “\(name)”") }
      return text
    }
    func integer(_ name: String) throws(Fault) -> Int64 {
      guard case .integer(let number)? = json[name] else {
        throw Fault(what: "“\(name)” must be an integer")
      }
      return number
    }
    func hash(_ name: String) throws(Fault) -> [UInt8] {
      guard let hash = [UInt8](hexadecimal: try text(name)), hash.count == LedgerHash.count else {
        throw Fault(what: "its “\(name)” is not 64 hexadecimal digits")
      }
      return hash
    }
    let payload: String
    switch json["payload"] {
    case .string(let text)?: payload = text
    case .object(let members)?: payload = JSONValue.object(members).canonicalText
    default: throw Fault(what: "its payload must be an object")
    }
    entry = LedgerEntry(
      sequence: try integer("sequence"), uuid: try text("uuid"), format: try integer("format"),
      sample: SampleIdentity(
        dataset: try text("dataset"), key: try text("key"), contentHash: try text("contentHash")),
      target: try text("target"), kind: try text("kind"), visit: try text("visit"),
      parent: json["parent"] == .null ? nil : try integer("parent"), payload: payload,
      previousHash: try hash("previousHash"), hash: try hash("hash"))
    parent = entry.parent == nil ? nil : try text("parentUuid")
    if let parent, !LedgerLimits.isUUID(parent) {
      throw Fault(what: "its “parentUuid” is not a lower-case UUID")
    }
    guard LedgerHash.hash(of: entry) == entry.hash else {
      throw Fault(what: "its hash does not match its contents: the line was changed")
    }
    if let fault = LedgerLimits.fault(of: row) { throw Fault(what: fault) }
  }

  /// The row to append to the ledger.
  var row: LedgerRow {
    LedgerRow(
      uuid: entry.uuid, format: entry.format, sample: entry.sample, target: entry.target,
      kind: entry.kind, visit: entry.visit,
      parent: parent.map { .entry($0) } ?? .sequence(0), payload: entry.payload)
  }

  /// Returns whether both have the same content for the same sample, regardless of their positions
  /// in the chains. An edit of one label of a set may follow different entries in the two ledgers.
  func saysTheSame(as other: ExchangeLine) -> Bool {
    let (a, b) = (entry, other.entry)
    let isEdit = LabelEdit(kind: a.kind, target: a.target, payload: a.payload) != nil
    let parents = isEdit ? ["", ""] : [parent ?? "", other.parent ?? ""]
    return a.format == b.format
      && zip(
        [
          a.uuid, a.sample.dataset, a.sample.key, a.sample.contentHash, a.target, a.kind, a.visit,
          a.payload, parents[0],
        ],
        [
          b.uuid, b.sample.dataset, b.sample.key, b.sample.contentHash, b.target, b.kind, b.visit,
          b.payload, parents[1],
        ]
      ).allSatisfy { $0.isSame(as: $1) }
  }
}

extension String {
  /// Returns whether both consist of the same bytes. Swift's `==` also accepts canonically
  /// equivalent strings.
  fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension [UInt8] {
  /// The bytes as two lowercase digits each.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The bytes of a string of pairs of hexadecimal digits; `nil` for any other string.
  init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      let pair = digits[place...place + 1].map { Character(Unicode.Scalar($0)).hexDigitValue }
      guard let high = pair[0], let low = pair[1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self = bytes
  }
}
