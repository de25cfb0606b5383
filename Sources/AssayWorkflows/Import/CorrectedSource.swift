import AssayCore
import AssayStore
import Foundation

/// The corrections that a source includes because `assay export --corrected` wrote it: what its
/// `manifest.json` says, and what the ledger beside the catalog knows of it.
struct CorrectedSource: Sendable {
  /// The corrections that the annotations include and that this ledger has; `nil` for none.
  private(set) var included: IncludedCorrections?
  /// A note for the user; `nil` if there is nothing to say.
  private(set) var note: String?

  /// The members before the samples are read, not the samples.
  private static let headLimit = 1 << 20

  /// - Parameters:
  ///   - path: the source, a local file or folder.
  ///   - dataset: the name under which it is imported.
  ///   - isReplacement: true if a dataset with this name exists and is replaced.
  /// - Throws: `LedgerError`.
  init(_ path: String, as dataset: String, isReplacement: Bool, catalogPath: String) throws {
    let place = Ledger.path(forCatalog: catalogPath)
    guard Ledger.exists(at: place) else { return }
    let ledger = try Ledger.open(place, .readOnly)
    if let (file, manifest) = Self.manifest(of: path), manifest["dataset"]?.text == dataset {
      if try ledger.has(manifest) {
        guard case .integer(let sequence)? = manifest["ledger"]?["sequence"] else { return }
        included = IncludedCorrections(ledger: ledger.uuid, sequence: sequence)
        note =
          "the annotations include the corrections up to entry \(sequence) of the ledger (\(file)), "
          + "which are not applied to them again"
      } else {
        note =
          "\(file) names corrections of another ledger; those of this catalog's ledger apply to the "
          + "annotations"
      }
      return
    }
    guard isReplacement else { return }
    let count = try ledger.samples(dataset: dataset).count
    guard count > 0 else { return }
    note =
      "the ledger's entries about \(Counted.text(count, "sample", "samples")) of \(dataset) apply to the "
      + "new annotations; if these were exported with --corrected, import them beside the manifest.json "
      + "of that export, so that nothing is applied twice"
  }

  /// The manifest of an export that a source is, or is part of; `nil` if there is none, or it has no
  /// corrections.
  private static func manifest(of path: String) -> (file: String, head: JSONValue)? {
    guard !path.contains("://") else { return nil }
    var folder = URL(fileURLWithPath: path).standardizedFileURL
    // The folder of the export; its annotations/ and the files in there.
    for _ in 0..<3 {
      let file = folder.appending(path: ExportManifest.json)
      if let head = head(of: file) { return (file.path, head) }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// The members of a manifest up to the ledger.
  private static func head(of file: URL) -> JSONValue? {
    guard let handle = try? FileHandle(forReadingFrom: file),
      let data = try? handle.read(upToCount: headLimit)
    else { return nil }
    try? handle.close()
    let text = String(decoding: data, as: UTF8.self)
    // The member after the ledger; a quotation mark inside a text would have a backslash before it.
    guard let end = text.firstRange(of: "\"only_corrected\"")?.lowerBound else { return nil }
    let members = text[..<end].reversed().drop { $0.isWhitespace || $0 == "," }.reversed()
    guard let head = try? JSONValue(parsing: String(members) + "}"),
      head["made_by"]?.text == "assay", head["ground_truth"]?.text == "corrected"
    else { return nil }
    return head
  }
}

extension Ledger {
  /// Returns whether it has the last entry that a manifest names.
  fileprivate func has(_ manifest: JSONValue) throws -> Bool {
    guard let state = manifest["ledger"], state["uuid"]?.text == uuid,
      case .integer(let sequence)? = state["sequence"], sequence > 0,
      let entry = try entry(sequence: sequence)
    else { return false }
    return ContentHash.hexadecimal(entry.hash) == state["hash"]?.text
  }
}
