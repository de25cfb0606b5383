import AssayCore
import AssayStore

/// Reads an untrusted file of corrections and validates it line by line. The hashes detect
/// accidental changes only; anyone can compute valid hashes for forged entries.
struct ExchangeFile {
  let path: String
  let header: ExchangeHeader
  private(set) var lines: TextLines
  private var found = 0
  /// The previous entry.
  private var last: LedgerEntry?
  /// The uuids of the file's entries, by sequence.
  private var uuids: [Int64: String] = [:]

  /// Reads the first line.
  ///
  /// - Throws: ``ExchangeError``.
  init(_ path: String) throws {
    self.path = path
    do {
      var lines = try TextLines(path)
      let first = try lines.next()
      self.lines = lines
      guard let first else {
        throw ExchangeError.notAnExport(path: path, reason: "it is empty")
      }
      guard let text = String(validating: first, as: UTF8.self),
        let json = try? JSONValue(parsing: text)
      else {
        throw ExchangeError.notAnExport(path: path, reason: "its first line is not JSON")
      }
      header = try ExchangeHeader(json)
    } catch let error as TextLines.Failure {
      throw Self.error(error, path)
    } catch ExchangeHeader.Refusal.laterVersion {
      throw ExchangeError.laterVersion(path: path)
    } catch ExchangeHeader.Refusal.notOne(let reason) {
      throw ExchangeError.notAnExport(path: path, reason: reason)
    }
  }

  /// The fraction of the file that was read, in 0...1.
  var fraction: Double { Double(lines.done) / Double(max(1, lines.size)) }

  /// The line number of the last entry.
  var line: Int { lines.number }

  /// The next entry; `nil` at the end.
  ///
  /// - Throws: ``ExchangeError``.
  mutating func next() throws -> ExchangeLine? {
    let bytes: [UInt8]?
    do { bytes = try lines.next() } catch { throw Self.error(error, path) }
    guard let bytes else {
      guard found == header.entries else {
        throw ExchangeError.wrongCount(path: path, announced: header.entries, found: found)
      }
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw fault("it is not UTF-8")
    }
    let row: ExchangeLine
    do {
      row = try ExchangeLine(try JSONValue(parsing: text))
    } catch let error as JSONError {
      throw fault("invalid JSON: \(error)")
    } catch let error as ExchangeLine.Fault {
      throw fault(error.what)
    }
    try checkPlace(of: row)
    found += 1
    last = row.entry
    uuids[row.entry.sequence] = row.entry.uuid
    return row
  }

  private func checkPlace(of row: ExchangeLine) throws {
    let entry = row.entry
    let before = last?.sequence ?? 0
    guard entry.sequence > max(before, header.since), entry.sequence <= header.head.sequence else {
      throw fault("entry \(entry.sequence) is out of place")
    }
    let expected: [UInt8]? =
      if entry.sequence == 1 {
        LedgerHash.first(ledger: header.ledger)
      } else if let last, last.sequence == entry.sequence - 1 {
        last.hash
      } else {
        nil
      }
    if let expected, expected != entry.previousHash {
      throw fault("it does not follow the entry before it; lines were reordered")
    }
    guard let parent = entry.parent else { return }
    guard parent < entry.sequence, parent > 0 else {
      throw fault("its parent \(parent) is not an earlier entry")
    }
    if let uuid = uuids[parent], uuid != row.parent {
      throw fault("its “parentUuid” is not that of entry \(parent)")
    }
    if header.dataset == nil, parent > header.since, uuids[parent] == nil {
      throw fault("its parent, entry \(parent), is missing")
    }
  }

  private func fault(_ what: String) -> ExchangeError {
    .badLine(path: path, line: lines.number, what)
  }

  private static func error(_ failure: TextLines.Failure, _ path: String) -> ExchangeError {
    switch failure {
    case .cannotRead(let reason): .cannotRead(path: path, reason: reason)
    case .tooLong(let line):
      .badLine(path: path, line: line, "it is longer than \(TextLines.lineLimit >> 20) MiB")
    }
  }
}
