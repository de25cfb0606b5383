package import ArgumentParser
import AssayCore
import AssayWorkflows
import Foundation

/// `assay scan`: reads one shard of the images of a folder before its import.
package struct ScanCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Read the sizes and hashes of one shard of a folder's images, for an import.",
    discussion: """
      For folders that one machine takes too long to read. Each shard lists the folder, and reads the images of its range \
      of the sorted paths: header and SHA-256. The part is written completely or not at all; one that is there is \
      not made again. Exit status 75: the same command may succeed later.

      assay scan /data/photos --shard 3/16 --out scan

      assay import /data/photos --scan scan

      The import takes sizes and hashes from the parts for files whose size and modification time are unchanged, \
      and reads the others. Annotations are read by the import.
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "path"), completion: .directory)
  package var source: String

  @OptionGroup package var parts: PartOptions

  @Flag(help: "Follow symbolic links that lead out of the folder.")
  package var followLinks = false

  @Option(help: ArgumentHelp("The number of threads. Default: one per core.", valueName: "n"))
  package var workers: Int?

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard parts.shard != nil else {
      throw ValidationError("scan needs --shard I/N and --out DIR")
    }
    if let workers, workers < 1 { throw ValidationError("--workers must be at least 1") }
  }

  package func run() throws {
    try options.perform(
      status: { TransientFailure.isOne($0) ? TransientFailure.status : nil }
    ) { progress in
      var words = ["assay", "scan", URL(fileURLWithPath: source).path]
      if followLinks { words.append("--follow-links") }
      let command = words.map(ShellWord.quoted).joined(separator: " ")
      guard let request = parts.request(command) else {
        throw ValidationError("scan needs --shard I/N and --out DIR")
      }
      let scan =
        workers.map { SourceScan(source, followsLinks: followLinks, workers: $0) }
        ?? SourceScan(source, followsLinks: followLinks)
      let made = try scan.makePart(
        request, programVersion: ProgramVersion.number, progress: progress)
      return RecordPartResult(made: made)
    }
  }
}
