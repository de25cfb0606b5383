import Foundation

/// A document that `assay help TOPIC` prints.
enum HelpTopic: String, CaseIterable {
  case correcting, fileFormats = "file-formats", manifest, masks, metrics
  case multiLabel = "multi-label", objects, queries

  /// The topic in a few words.
  var summary: String {
    switch self {
    case .correcting: "correcting labels, masks and boxes; the ledger; exports"
    case .fileFormats: "datasets and predictions that are read and written"
    case .masks: "segmentation: import, models, evaluation"
    case .metrics: "definitions, intervals and conventions of every number"
    case .manifest: "the manifest of a model, with every key"
    case .multiLabel: "several labels per image: import, thresholds, corrections"
    case .objects: "detection: import, models, evaluation"
    case .queries: "views, the query language, gate expressions, SQL"
    }
  }

  private var fileName: String {
    switch self {
    case .correcting: "Corrections.md"
    case .fileFormats: "Formats.md"
    case .manifest: "Models.md"
    case .masks: "Masks.md"
    case .metrics: "Metrics.md"
    case .multiLabel: "MultiLabel.md"
    case .objects: "Objects.md"
    case .queries: "Queries.md"
    }
  }

  /// The topics with their summaries, one per line.
  static var list: String {
    let width = allCases.map(\.rawValue.count).max() ?? 0
    return allCases.map { topic in
      "  " + topic.rawValue.padding(toLength: width + 2, withPad: " ", startingAt: 0)
        + topic.summary
    }.joined(separator: "\n")
  }

  /// Returns the document in Markdown.
  ///
  /// - Parameter executable: the path of the running program, links resolved.
  /// - Throws: ``HelpError/notInstalled(_:_:)``.
  func markdown(besides executable: String) throws -> String {
    let folders = Self.folders(besides: executable)
    for folder in folders {
      if let text = try? String(contentsOfFile: "\(folder)/\(fileName)", encoding: .utf8) {
        return text
      }
    }
    throw HelpError.notInstalled(fileName, folders)
  }

  /// The folders that can hold the documents: of an installed program, then of a checkout.
  static func folders(besides executable: String) -> [String] {
    let own = URL(fileURLWithPath: executable).deletingLastPathComponent()
    var folders = [
      own.deletingLastPathComponent().appending(path: "share/doc/assay"),
      // The Debian package: programs there may not depend on files in share/doc.
      own.deletingLastPathComponent().appending(path: "share/assay/guides"),
      own.appending(path: "Docs"),
    ]
    let parts = own.pathComponents
    if let build = parts.lastIndex(of: ".build"), build > 0 {
      folders.append(
        URL(fileURLWithPath: NSString.path(withComponents: Array(parts[..<build])))
          .appending(path: "Docs"))
    }
    return folders.map { $0.standardizedFileURL.path(percentEncoded: false) }
  }
}

/// The errors of `assay help`.
enum HelpError: Error, CustomStringConvertible {
  /// The document was not found in any of the folders.
  case notInstalled(String, [String])

  var description: String {
    switch self {
    case .notInstalled(let file, let folders):
      "\(file) was not found next to the program; searched: \(folders.joined(separator: ", "))"
    }
  }
}
