package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay compare`: what lies between two runs over the same samples.
package struct CompareCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare two runs on the samples that both have.",
    discussion: """
      Differences are B − A, their intervals drawn over the same samples for both. Lost is what only A \
      has right, won what only B has; McNemar's test says whether their numbers differ by more than \
      chance, for the classes corrected by Holm.
      """)

  @Argument(help: "The first run, or RUN@EVALUATION.")
  package var a: String

  @Argument(help: "The second run, or RUN@EVALUATION.")
  package var b: String

  @Option(
    help: ArgumentHelp(
      "Write compare.json and pictures of the samples lost and won here.", valueName: "dir"))
  package var out: String?

  @Option(
    help: ArgumentHelp("Write one sheet of the samples lost and won.", valueName: "sheet.png"))
  package var show: String?

  @Flag(help: "Overwrite files that assay did not write.")
  package var force = false

  @OptionGroup(title: "Samples and thresholds") package var selection: EvaluateOptions
  @OptionGroup(title: "Intervals") package var intervals: IntervalOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let show { try PictureName.check(show, option: "show") }
  }

  private static let names = ["compare.json", "lost.png", "won.png"]

  package func run() throws {
    try options.perform { _ in
      let catalog = try Catalog.open(options.catalogPath, .readOnly)
      var folder = try out.map { path throws(OutputError) in
        let folder = try OutputFolder(path, force: force)
        try folder.check(Self.names)
        return folder
      }
      var sheet = try show.map { try OutputFile($0, force: force) }
      var settings = selection.settings
      intervals.apply(to: &settings)
      let pairing = try RunComparison(catalog: catalog).compare(a, b, settings)
      let pictures = ComparisonPictures(catalog: catalog, pairing: pairing)
      var result = CompareResult(pairing: pairing)
      if folder != nil {
        let sheets = try pictures.sheets()
        let files = [
          ("compare.json", Array((pairing.json.text(indented: true) + "\n").utf8)),
          ("lost.png", sheets.lost), ("won.png", sheets.won),
        ].compactMap { name, bytes in bytes.map { (name: name, bytes: $0) } }
        try folder?.write(files)
        result.written += files.map { "\(out ?? "")/\($0.name)" }
      }
      if let show {
        try sheet?.write(try pictures.together())
        result.written.append(show)
        result.hasSheet = true
      }
      return result
    }
  }
}
