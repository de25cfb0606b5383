import AssayCore

/// The reasons why corrections cannot be exchanged between ledgers or datasets.
package enum ExchangeError: Error, Hashable {
  case cannotRead(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  case fileExists(path: String)
  /// The first line is not the header of an export.
  case notAnExport(path: String, reason: String)
  /// The file was written by a later version of assay.
  case laterVersion(path: String)
  /// A line that is not a valid entry, and the reason.
  case badLine(path: String, line: Int, String)
  /// The number of entries differs from the number in the first line.
  case wrongCount(path: String, announced: Int, found: Int)
  /// The ledger has an entry with this uuid and different content.
  case differs(path: String, line: Int, uuid: String, sequence: Int64)
  /// An entry follows one that is in neither the ledger nor the file.
  case missingParent(path: String, line: Int, uuid: String)
  /// The ledger has no entries for a dataset.
  case noCorrections(dataset: String, suggestion: String?, known: [String])
  /// Corrections cannot be adopted by the dataset that they belong to.
  case sameDataset(String)
}

extension ExchangeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cannotRead(let path, let reason): "cannot read \(path): \(reason)"
    case .cannotWrite(let path, let reason): "cannot write \(path): \(reason)"
    case .fileExists(let path): "\(path) exists; give --force to overwrite it"
    case .notAnExport(let path, let reason):
      "\(path) was not written by `assay corrections export`: \(reason)"
    case .laterVersion(let path):
      "\(path) was written by a later version of assay; use that version. Nothing was imported"
    case .badLine(let path, let line, let what):
      "\(path), line \(line): \(what). Nothing was imported; export it again from the ledger it came from"
    case .wrongCount(let path, let announced, let found):
      "\(path) should contain \(announced) entries but contains \(found): it was truncated "
        + "or edited. Nothing was imported; copy or export it again"
    case .differs(let path, let line, let uuid, let sequence):
      "\(path), line \(line): entry \(sequence) of the ledger has the same uuid \(uuid) but "
        + "different content; one of the two was changed. Nothing was imported; run "
        + "`assay corrections verify` on both ledgers"
    case .missingParent(let path, let line, let uuid):
      "\(path), line \(line): it follows the entry \(uuid), which neither the file nor the ledger has. "
        + "Nothing was imported; export again without --since, or with --since and an earlier entry"
    case .noCorrections(let dataset, let suggestion, let known):
      "no corrections for dataset “\(dataset)”"
        + (suggestion.map { "; did you mean “\($0)”?" } ?? "")
        + (known.isEmpty
          ? "; the ledger has no corrections yet"
          : (suggestion == nil ? "; datasets" : " Datasets") + " with corrections: "
            + known.joined(separator: ", "))
    case .sameDataset(let name):
      "the old and the new dataset are both “\(name)”; give the old dataset first, then the new one"
    }
  }
}
