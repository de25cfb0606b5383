package import ArgumentParser
import AssayCore
import AssayWorkflows
import Foundation

extension Shard {
  /// Refuses a value of --shard that is no shard.
  ///
  /// - Throws: `ValidationError`.
  static func check(_ text: String) throws {
    guard Shard(text) == nil else { return }
    throw ValidationError(
      "--shard is “\(text)”; expected I/N with I from 1 to N, and N at most \(limit)")
  }
}

/// The options of `assay predict` and `assay scan` for one shard.
package struct PartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Only the I-th of N ranges of the samples, sorted by key; written into the folder --out as a part, which \
      the next command joins with the others (assay predict: assay merge; assay scan: assay import --scan).
      """, valueName: "i/n"))
  package var shard: String?

  @Option(help: ArgumentHelp("The folder for the parts of --shard.", valueName: "dir"))
  package var out: String?

  package init() {}

  package func validate() throws {
    guard (shard == nil) == (out == nil) else {
      throw ValidationError("--shard I/N and --out DIR need each other")
    }
    if let shard { try Shard.check(shard) }
  }

  /// The request for a part; `nil` if the whole view is predicted.
  ///
  /// - Parameter command: the command without its shard and its folder.
  func request(_ command: String) -> PartRequest? {
    guard let shard = shard.flatMap({ Shard($0) }), let out else { return nil }
    return PartRequest(shard: shard, folder: out, command: command)
  }
}
