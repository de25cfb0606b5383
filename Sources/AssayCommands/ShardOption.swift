package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

/// The option of commands that compute one shard of their work into the folder --out.
package struct ShardOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Only read the images of the I-th of N ranges of the view's samples, sorted by key, into a part in the folder --out. \
      The same command with that folder in place of the view joins the parts.
      """, valueName: "i/n"))
  package var shard: String?

  package init() {}

  package func validate() throws {
    if let shard, Shard(shard) == nil {
      throw ValidationError(
        "--shard is “\(shard)”; expected I/N with I from 1 to N, and N at most \(Shard.limit)")
    }
  }

  /// Refuses what a shard does not use.
  ///
  /// - Parameters:
  ///   - folder: the value of --out.
  ///   - unused: the options that only the whole work uses, and whether they are given.
  /// - Throws: `ValidationError`.
  func check(folder: String?, unused: [(option: String, isGiven: Bool)]) throws {
    guard shard != nil else { return }
    guard folder != nil else {
      throw ValidationError("--shard I/N needs --out DIR, the folder for the parts")
    }
    for (option, isGiven) in unused where isGiven {
      throw ValidationError("\(option) is for the command that joins the parts, not for --shard")
    }
  }

  /// The request for a part; `nil` without --shard.
  ///
  /// - Parameter words: the command without its shard and its folder.
  func request(folder: String?, _ words: [String]) -> PartRequest? {
    guard let shard = shard.flatMap({ Shard($0) }), let folder else { return nil }
    return PartRequest(
      shard: shard, folder: folder, command: words.map(ShellWord.quoted).joined(separator: " "))
  }
}

extension RecordParts {
  /// The parts in a folder that is given in place of a view; `nil` if the catalog has such a view, or it is
  /// no folder with parts.
  ///
  /// - Throws: ``PartError``, `StoreError`.
  static func given(
    _ view: String, of work: PartWork, _ options: GlobalOptions
  ) throws -> RecordParts? {
    guard PartFolder.isFolder(view) else { return nil }
    let folder = try PartFolder(view)
    guard !folder.parts.isEmpty || !folder.unusable.isEmpty else { return nil }
    if let catalog = try? Catalog.open(options.catalogPath, .readOnly),
      (try? catalog.resolve(view)) != nil
    {
      return nil
    }
    return try RecordParts(view, of: work)
  }

  /// The catalog of --db; otherwise the one that the parts were made with, or if that is gone, the one at its
  /// usual place.
  func catalogPath(_ options: GlobalOptions) -> String {
    let isThere = FileManager.default.fileExists(atPath: identity.catalog)
    return options.db == nil && isThere ? identity.catalog : options.catalogPath
  }
}

extension TruthOptions {
  /// The words of a command for this ground truth.
  var words: [String] {
    (corrected ? ["--corrected"] : []) + (at.map { ["--at", "\($0)"] } ?? [])
  }
}

extension OpenedCatalog {
  /// The words for the ground truth that is used.
  var truthText: String {
    PartTruth.words(upTo: corrections.used ? corrections.sequence ?? 0 : nil)
  }
}
