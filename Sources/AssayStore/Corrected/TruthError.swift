/// The reasons why the requested ground truth is not available.
package enum TruthError: Error, Hashable {
  /// The requested entry is not in the ledger; with the ledger's last entry.
  case noSuchEntry(Int64, last: Int64)
  /// The images or the catalog kept changing while corrections were being checked.
  case restless(path: String)
}

extension TruthError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSuchEntry(let entry, 0):
      "there is no entry \(entry): nothing has been corrected yet; omit --at"
    case .noSuchEntry(let entry, let last):
      "there is no entry \(entry): the ledger ends at entry \(last); `assay corrections ls` lists them"
    case .restless(let path):
      "\(path) kept changing while its corrections were applied; wait for the other process to end, and "
        + "try again"
    }
  }
}
