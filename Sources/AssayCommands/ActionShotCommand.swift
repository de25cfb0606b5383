package import ArgumentParser
import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows
import Foundation

/// `assay actionshot`: shows a movement in one picture.
package struct ActionShotCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "actionshot",
    abstract: "Show a movement in one picture: the subject of several frames of a film.",
    discussion: """
      A segmentation model, or a run that was made with one, tells where the subject is in each frame. Frames without it, and those in which it is cut \
      off at an edge of its path, are left out. The last frame that remains gives the background; going back in time, \
      a frame is taken if its mask shares at most --max-overlap of its pixels with each one taken before. \
      Older frames are drawn fainter.

      Frames are the images of a folder in the order of their names, numbers by their value, or the \
      samples of a view in its order. ffmpeg -i FILM -vf fps=10 frames/%03d.jpg makes them from a film.

      --rule book takes the rule of the book “Machine Learning with Core ML” literally, for comparison.
      """)

  /// The names of the rules.
  enum Rule: String, CaseIterable, ExpressibleByArgument {
    case apart, book
  }

  @Argument(help: ArgumentHelp("A folder of frames, or a view.", valueName: "frames"))
  package var source: String

  @Option(help: "The name of a segmentation model.")
  package var model: String?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "A run with masks or regions instead of a model, such as that of the pipeline people; the frames are samples of its dataset.",
      valueName: "run"))
  package var runName: String?

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp(
      "The class of the subject. Default: the model's only class, or person.", valueName: "class"))
  package var className: String?

  @Option(help: ArgumentHelp("Write the picture as PNG.", valueName: "file"))
  package var out: String

  @Option(
    help: ArgumentHelp(
      "Write a page with all frames and the reasons, where others can be chosen.",
      valueName: "file"))
  package var report: String?

  @Option(help: ArgumentHelp("The rule that chooses the frames: apart or book.", valueName: "rule"))
  var rule = Rule.apart

  @Option(
    help: ArgumentHelp(
      "Use these frames instead: 011,013 or --frames 011.jpg --frames 013.jpg.",
      valueName: "names"))
  package var frames: [String] = []

  @Option(
    help: ArgumentHelp(
      "The maximum share of a mask that lies in another one. Default: 0.02.", valueName: "share"))
  package var maxOverlap: Double?

  @Option(
    help: ArgumentHelp(
      "The minimum share of the picture that a mask covers. Default: 0.005.", valueName: "share"))
  package var minArea: Double?

  @Option(
    help: ArgumentHelp("The opacity of the oldest frame. Default: 0.35.", valueName: "share"))
  package var minOpacity: Double?

  @Option(
    help: ArgumentHelp(
      "Refine the masks by these steps, in this order: \(MaskRefinement.spellings).",
      valueName: "steps"))
  package var refine: String?

  @Flag(help: "Overwrite files that assay did not write.")
  package var force = false

  @OptionGroup package var limits: ModelLimitOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    _ = try request()
  }

  private func request() throws -> ActionShotRequest {
    for (option, value) in [
      ("max-overlap", maxOverlap), ("min-area", minArea), ("min-opacity", minOpacity),
    ] {
      guard let value else { continue }
      guard (0...1).contains(value) else {
        throw ValidationError("--\(option) is \(value); it must be from 0 to 1")
      }
      if rule == .book { throw ValidationError("--\(option) is not part of --rule book") }
    }
    let steps = try refine.map { try MaskRefinement.parse($0, option: "--refine") }
    if rule == .book, refine != nil || !frames.isEmpty {
      throw ValidationError("--\(refine != nil ? "refine" : "frames") is not part of --rule book")
    }
    guard (model == nil) != (runName == nil) else {
      throw ValidationError("give either --model NAME or --run NAME")
    }
    if rule == .book, runName != nil { throw ValidationError("--rule book needs --model") }
    guard !out.isEmpty else { throw ValidationError("--out needs the name of a PNG file") }
    let suffix = URL(fileURLWithPath: out).pathExtension
    guard suffix.isEmpty || suffix.lowercased() == "png" else {
      throw ValidationError("--out \(out): the picture is a PNG file; give a name with .png")
    }
    if let report, URL(fileURLWithPath: report).path == URL(fileURLWithPath: out).path {
      throw ValidationError("--out and --report name the same file")
    }
    var apart = ActionShotRule()
    apart.maxOverlap = maxOverlap ?? apart.maxOverlap
    apart.minArea = minArea ?? apart.minArea
    apart.minOpacity = minOpacity ?? apart.minOpacity
    if !frames.isEmpty {
      guard frames.contains(where: { $0.contains { $0 != "," } }) else {
        throw ValidationError("--frames names no frame")
      }
      apart.names = Set(frames)
    }
    return ActionShotRequest(
      source: source,
      masks: runName.map { .run($0) } ?? .model(model ?? ""), className: className,
      rule: rule == .book ? .book : .apart(apart), refinements: steps ?? [],
      command: repeated)
  }

  /// The command without a choice of frames.
  private var repeated: [String] {
    var words = ["assay", "actionshot", source]
    if let model { words += ["--model", model] }
    if let runName { words += ["--run", runName] }
    words += ["--out", out]
    if let className { words += ["--class", className] }
    if let minOpacity { words += ["--min-opacity", "\(minOpacity)"] }
    if let minArea { words += ["--min-area", "\(minArea)"] }
    if let refine { words += ["--refine", refine] }
    if let db = options.db { words += ["--db", db] }
    return words
  }

  package func run() throws {
    try options.perform { progress in
      try limits.enterChild()
      let catalog = try Catalog.open(options.catalogPath, .readOnly, reportingTo: progress)
      var picture = try OutputFile(out, force: force)
      var page = try report.map { path throws(OutputError) in try OutputFile(path, force: force) }
      let workflow = ActionShotWorkflow(catalog: catalog, progress: progress)
      let (outcome, html) = try workflow.run(try request(), wantsPage: report != nil)
      try picture.write(try ImageCodec.encodePNG(outcome.picture))
      if let html { try page?.write(html) }
      return LinkedResult(
        ActionShotResult(
          outcome: outcome, model: model, run: runName, out: out, report: report),
        [out] + (report.map { [$0] } ?? []))
    }
  }
}

/// The result of `assay actionshot`.
struct ActionShotResult: CommandResult {
  let outcome: ActionShotOutcome
  let model: String?
  let run: String?
  let out: String
  let report: String?

  var json: JSONValue {
    let chosen = outcome.chosen
    let rejected = outcome.frames.compactMap { frame -> JSONValue? in
      guard case .rejected(let reason) = frame.verdict else { return nil }
      return ["frame": .string(frame.name), "reason": .string(reason.description)]
    }
    return [
      "source": .string(outcome.source), "model": JSONValue(model),
      "run": JSONValue(run),
      "total": JSONValue(outcome.frames.count),
      "frames": .array(chosen.map { .string($0.name) }),
      "opacity": .array(chosen.map { .number($0.opacity) }),
      "rejected": .array(rejected), "axis": JSONValue(outcome.axis?.rawValue),
      "overlap": .number(outcome.overlap),
      "width": JSONValue(outcome.picture.width), "height": JSONValue(outcome.picture.height),
      "out": .string(out), "report": JSONValue(report),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let chosen = outcome.chosen
    var lines = [
      "\(chosen.count) of \(Counted.text(outcome.frames.count, "frame", "frames")) of \(Terminal.safe(outcome.source)), oldest first:"
    ]
    lines += chosen.map {
      "  \(Terminal.safe($0.name))  opacity \(String(format: "%.2f", $0.opacity))"
    }
    let rejected = outcome.frames.compactMap { name, verdict -> String? in
      guard case .rejected(let reason) = verdict else { return nil }
      return "  \(Terminal.safe(name))  \(Terminal.safe(reason.description))"
    }
    if !rejected.isEmpty {
      lines.append("not used:")
      lines += rejected.prefix(30)
      if rejected.count > 30 {
        lines.append("  and \(rejected.count - 30) more (--json lists all)")
      }
    }
    if chosen.count == 1 {
      lines.append("only one frame could be used: the picture is this frame")
    }
    lines.append("wrote \(Terminal.safe(out))" + (report.map { " and \(Terminal.safe($0))" } ?? ""))
    return lines.joined(separator: "\n")
  }
}
