package import ArgumentParser
import AssayCore
import AssayWorkflows

/// `assay cache`: shows or empties the cache of files from sources that are not local.
package struct CacheCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Show or empty the cache of sources that are not local, and of thumbnails.",
    discussion: """
      Files at addresses (s3://, https://) are fetched when they are read, and kept in $ASSAY_CACHE, else \
      $XDG_CACHE_HOME/assay or ~/.cache/assay. ASSAY_CACHE_SIZE is the limit (500M, 50G; default 20G): beyond it, \
      the files that were not read for the longest time are removed, and fetched again when they are needed.

      The same folder has the thumbnails of `assay open` and `assay review` (thumbnails.db). ASSAY_THUMBNAILS_SIZE is \
      their limit (default 1G; 0 keeps none).
      """)

  @Flag(help: "Remove all files and thumbnails from the cache.")
  package var clear = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in CacheResult(cache: try CacheOverview.read(clears: clear)) }
  }
}

/// The result of `assay cache`.
struct CacheResult: CommandResult {
  var cache: CacheOverview

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("folder", .string(cache.folder)), .init("files", JSONValue(cache.files)),
      .init("bytes", JSONValue(cache.bytes)), .init("limit", JSONValue(cache.limit)),
    ]
    if let thumbnails = cache.thumbnails {
      members.append(
        .init(
          "thumbnails",
          [
            "pictures": JSONValue(thumbnails.pictures), "bytes": JSONValue(thumbnails.bytes),
            "limit": JSONValue(thumbnails.limit),
          ]))
    }
    if let removed = cache.removed {
      members.append(
        .init("removed", ["files": JSONValue(removed.files), "bytes": JSONValue(removed.bytes)]))
    }
    return .object(members)
  }

  func text(in terminal: Terminal) -> String {
    let removed = cache.removed.map {
      "removed \(Counted.text($0.files, "file", "files")) (\(ByteText.text($0.bytes)))\n"
    }
    return (removed ?? "")
      + "\(Terminal.safe(cache.folder)): \(Counted.text(cache.files, "file", "files")), "
      + "\(ByteText.text(cache.bytes)) of at most \(ByteText.text(cache.limit))" + thumbnails
  }

  private var thumbnails: String {
    guard let known = cache.thumbnails, known.pictures > 0 else { return "" }
    return
      "\n\(Counted.text(known.pictures, "thumbnail", "thumbnails")), \(ByteText.text(known.bytes)) of at most "
      + ByteText.text(known.limit)
  }
}
