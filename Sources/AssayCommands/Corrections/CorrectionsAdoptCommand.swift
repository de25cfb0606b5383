package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

/// `assay corrections adopt`: the corrections of a renamed dataset.
package struct CorrectionsAdoptCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Assign a dataset's corrections to another dataset with the same images.",
    discussion: """
      For a dataset that was imported again under another name. Each sample of OLD with corrections is \
      looked up in NEW by its image; if exactly one image is the same, an entry records it, and can be undone \
      like any other. The other samples are listed.
      """)

  @Argument(help: "The dataset with the corrections; it need not be in the catalog any more.")
  package var old: String

  @Argument(help: "The dataset that adopts them.")
  package var new: String

  @OptionGroup package var author: AuthorOptions

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let catalog = try Catalog.open(options.catalogPath, .readWrite, reportingTo: progress)
      let ledger = try catalog.openLedger(.readWrite)
      let adoption = CorrectionsAdoption(
        catalog: catalog, ledger: ledger, author: author.found.name, progress: progress)
      return CorrectionsAdoptResult(summary: try adoption.run(from: old, to: new))
    }
  }
}

/// The result of `assay corrections adopt`.
struct CorrectionsAdoptResult: CommandResult {
  /// The maximum number of samples that are listed.
  private static let listed = 20

  let summary: CorrectionsAdoption.Summary

  var json: JSONValue {
    [
      "old": .string(summary.old), "new": .string(summary.new),
      "adopted": .array(summary.adopted.map(Self.json)),
      "adopted_before": .array(summary.known.map(Self.json)),
      "left": .array(
        summary.left.map { left in
          let (why, keys): (String, [String]) =
            switch left.why {
            case .missing: ("missing", [])
            case .several(let keys): ("several", keys)
            case .taken(let key): ("taken", [key])
            }
          return [
            "key": .string(left.sample.key), "content_hash": .string(left.sample.contentHash),
            "why": .string(why), "found": .array(keys.map { .string($0) }),
          ]
        }),
    ]
  }

  private static func json(_ adopted: CorrectionsAdoption.Adopted) -> JSONValue {
    [
      "from": .string(adopted.from.key), "to": .string(adopted.to.key),
      "entry": .integer(adopted.sequence),
    ]
  }

  func text(in terminal: Terminal) -> String {
    var lines = [
      "\(summary.new) adopted the corrections of "
        + Counted.text(summary.adopted.count, "sample", "samples") + " of \(summary.old)"
        + (summary.known.isEmpty ? "" : "; of \(summary.known.count) it had them already")
    ]
    if !summary.left.isEmpty {
      lines.append(
        "not adopted: those of " + Counted.text(summary.left.count, "sample", "samples"))
    }
    for left in summary.left.prefix(Self.listed) {
      lines.append("  \(Terminal.safe(left.sample.key)): \(Self.text(left.why, summary.new))")
    }
    if summary.left.count > Self.listed {
      lines.append("  and \(summary.left.count - Self.listed) more; --json lists all")
    }
    return lines.joined(separator: "\n")
  }

  private static func text(_ why: CorrectionsAdoption.Left.Why, _ new: String) -> String {
    switch why {
    case .missing: "no image of \(new) is the corrected image"
    case .several(let keys):
      "\(keys.count) images of \(new) are the corrected image: "
        + keys.prefix(3).map(Terminal.safe).joined(separator: ", ")
        + (keys.count > 3 ? ", …" : "")
    case .taken(let key): "\(new):\(Terminal.safe(key)) already has corrections"
    }
  }
}
