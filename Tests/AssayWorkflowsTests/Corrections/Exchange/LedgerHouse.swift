import AssayCore
import AssayStore
import AssayTestSupport
import Foundation

import AssayWorkflows

/// A folder for ledgers and files, which is removed with the value.
final class LedgerHouse {
  private let temporary: TemporaryFolder
  let folder: URL

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.url
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// A new ledger.
  func ledger(_ name: String) throws -> Ledger {
    try Ledger.open(path(name + ".ledger.db"), .create)
  }

  /// Exports a ledger to a file with its name.
  @discardableResult
  func export(
    _ ledger: Ledger, _ name: String, since: Int64 = 0, dataset: String? = nil
  ) throws -> CorrectionsExport.Summary {
    try CorrectionsExport(ledger: ledger).run(
      to: path(name), since: since, dataset: dataset, overwrite: true)
  }

  @discardableResult
  func bring(_ name: String, into ledger: Ledger) throws -> CorrectionsImport.Summary {
    try CorrectionsImport(ledger: ledger.path).run(path(name))
  }

  func lines(_ name: String) throws -> [String] {
    try String(contentsOfFile: path(name), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  func write(_ name: String, _ lines: [String]) throws {
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path(name), atomically: false, encoding: .utf8)
  }

  static func uuid(_ number: Int) -> String {
    String(format: "00000000-0000-4000-8000-%012lx", number)
  }

  static func draft(
    _ number: Int, _ key: String = "0", after parent: CorrectionDraft.Parent = .head,
    dataset: String = "faces", hash: String? = nil, kind: CorrectionKind = .label,
    payload: JSONValue = ["author": "anna", "category": "happy"]
  ) -> CorrectionDraft {
    CorrectionDraft(
      uuid: uuid(number),
      sample: SampleIdentity(
        dataset: dataset, key: key, contentHash: hash ?? ContentHash.of(Array(key.utf8))),
      target: kind == .label ? .label : .sample, kind: kind, visit: uuid(0xABC), parent: parent,
      payload: payload)
  }
}
