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
    if let shard { try Shard.check(shard) }
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

  /// Makes the part of the shard and prints its result. The ground truth is read, not written.
  ///
  /// - Parameters:
  ///   - folder: the value of --out.
  ///   - words: the command without its shard, its folder and its catalog.
  ///   - make: makes the part.
  /// - Throws: the exit code of a failure.
  func perform(
    _ options: GlobalOptions, _ truth: TruthOptions, folder: String?, _ words: [String],
    _ make: (PartRequest, OpenedCatalog, any ProgressSink) throws -> MadeRecordPart
  ) throws {
    try options.perform(
      status: { TransientFailure.isOne($0) ? TransientFailure.status : nil }
    ) { progress in
      guard let shard = shard.flatMap({ Shard($0) }), let folder else {
        throw ValidationError("--shard I/N needs --out DIR, the folder for the parts")
      }
      let db = options.db.map { ["--db", URL(fileURLWithPath: $0).path] } ?? []
      let request = PartRequest(
        shard: shard, folder: folder,
        command: (words + db).map(ShellWord.quoted).joined(separator: " "))
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .unchanged, truth: truth.choice, reportingTo: progress)
      return RecordPartResult(made: try make(request, opened, progress))
    }
  }
}

extension RunParts {
  /// The catalog of --db, or the one at its usual place; if there is none, the one that the parts were made with.
  func catalogPath(_ options: GlobalOptions) -> String {
    let path = options.catalogPath
    let hasCatalog = options.db != nil || FileManager.default.fileExists(atPath: path)
    return hasCatalog ? path : identity.catalog
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
    guard try PartFolder.hasParts(view) else { return nil }
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
