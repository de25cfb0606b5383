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
      "\(path) is not a file that `assay corrections export` wrote: \(reason)"
    case .laterVersion(let path):
      "\(path) was written by a later version of assay; use that version. Nothing was imported"
    case .badLine(let path, let line, let what):
      "\(path), line \(line): \(what). Nothing was imported; export it again from the ledger it came from"
    case .wrongCount(let path, let announced, let found):
      "\(path) announces \(announced) entries and has \(found): it was cut or edited. "
        + "Nothing was imported; copy or export it again"
    case .differs(let path, let line, let uuid, let sequence):
      "\(path), line \(line): entry \(sequence) of the ledger has the same uuid \(uuid) with other "
        + "content; one of the two was changed. Nothing was imported; run `assay corrections verify` on both "
        + "ledgers"
    case .missingParent(let path, let line, let uuid):
      "\(path), line \(line): it follows the entry \(uuid), which neither the file nor the ledger has. "
        + "Nothing was imported; export again without --since, or from an earlier entry on"
    case .noCorrections(let dataset, let suggestion, let known):
      "no corrections of a dataset “\(dataset)”"
        + (suggestion.map { "; did you mean “\($0)”?" } ?? "")
        + (known.isEmpty
          ? "; there are none at all yet"
          : (suggestion == nil ? "; there" : " There") + " are some of: "
            + known.joined(separator: ", "))
    case .sameDataset(let name):
      "the corrections of “\(name)” already belong to it; name the old dataset, then the new one"
    }
  }
}
