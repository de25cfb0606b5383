package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay corrections show`: one sample or one entry, before and after.
package struct CorrectionsShowCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the corrections of a sample or of an entry.",
    discussion: """
      DATASET:KEY compares the imported with the corrected ground truth; the number of an entry compares \
      the state before and after it. --out writes both and the difference as PNGs: added pixels \
      are blue, removed pixels orange.
      """)

  @Argument(help: ArgumentHelp("DATASET:KEY, or the number of an entry.", valueName: "what"))
  package var what: String

  @Option(
    help: ArgumentHelp("A folder for the images.", valueName: "dir"), completion: .directory)
  package var out: String?

  @Flag(help: "Overwrite images that assay did not write.")
  package var force = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard Int64(what) != nil || SampleName(what) != nil else {
      throw ValidationError(
        "expected DATASET:KEY or the number of an entry, found “\(Terminal.safe(what))”")
    }
  }

  package func run() throws {
    try options.perform { progress in
      let work = try CorrectionSession(catalogPath: options.catalogPath, reportingTo: progress)
      let service = try work.service(create: false)
      let search = UndoTarget(service)
      let entry = try Int64(what).map(search.entry)
      let sample: SampleRecord
      let name: SampleName
      if let entry {
        sample = try search.sample(of: entry)
        guard let found = SampleName("\(entry.sample.dataset):\(sample.key)") else {
          throw CorrectionBatchError.noKey
        }
        name = found
      } else {
        guard let found = SampleName(what) else { throw CorrectionBatchError.noKey }
        name = found
        sample = try work.sample(found)
      }
      let truth = try service.truth(of: sample, as: entry.flatMap { IndependentVersion($0) })
      let classes = Set(
        try work.catalog.taxonomy(of: work.catalog.dataset(named: name.dataset).id).names)
      let (kept, leftOut) = truth.keeping(classes.contains)
      let contents: (before: ReplayedContent, after: ReplayedContent)
      if let entry {
        contents = try service.contents(around: entry, of: sample)
      } else {
        contents = (try service.imported(of: sample).content, kept.content)
      }
      var result = CorrectionsShowResult(
        name: name, sample: sample, entry: entry, truth: truth, leftOutClasses: leftOut.sorted(),
        versions: entry == nil ? try service.independentVersions(of: sample) : [],
        difference: TruthDifference(from: contents.before, to: contents.after))
      if let out {
        let stem = entry.map { "entry-\($0.sequence)" } ?? FileStem.of(name.key)
        let pictures = try CorrectionPictures(
          of: sample, dataset: work.catalog.dataset(named: name.dataset), in: work.catalog)
        let files = try pictures.files(
          from: contents.before, to: contents.after, stem: stem)
        var folder = try OutputFolder(out, force: force)
        try folder.write(files.map { ($0.name, $0.bytes) })
        result.files = files.map { "\(out)/\($0.name)" }
      }
      return LinkedResult(result, [out])
    }
  }
}

/// A sample's key as the beginning of a file's name.
enum FileStem {
  static func of(_ key: String) -> String {
    var name = key.split(separator: "/").last.map(String.init) ?? "sample"
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    let safe = name.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "_" }
    let stem = String(safe.prefix(80)).trimmingPrefix { $0 == "." }
    return stem.isEmpty ? "sample" : String(stem)
  }
}
