package import ArgumentParser
import AssayCore
import AssayReview
import AssayStore
import AssayWorkflows
import Foundation

/// `assay live`: recognizes what the browser's camera shows.
package struct LiveCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Recognize what a camera shows, in the browser, and capture frames into a dataset.",
    discussion: """
      assay live --model yolox
      assay live --pipeline faces --capture kitchen
      assay live --model fer --capture-below 0.5
      assay live --model fer --decision decision.yaml --capture-unsure
      assay live --model yolox --capture-class person --capture-class dog
      assay live --model a --disagree b
      ffmpeg -f v4l2 -i /dev/video0 -f mjpeg - | assay live - --model yolox

      The page sends one frame of the browser's camera at a time and draws the answer over it; frames that come \
      meanwhile are dropped. s captures the frame that is shown, r records all of them, and rules capture by \
      themselves: a low score, a class, two models that disagree. A captured frame is a file in the folder \
      assay.frames beside the catalog and a sample of a dataset, with the time, the reason and what was predicted; \
      assay review, predict and export know it as any other. At the end the captured frames are predicted again, as runs \
      of a saved view.

      The camera needs a page from this computer: over ssh, forward the port (ssh -L) and open the link there. The \
      server is the one of assay open. Ctrl-C ends it.
      """)

  @Argument(
    help: ArgumentHelp(
      "- for a stream of JPEG images, PNG images or Y4M on standard input, instead of the browser's camera."
    ))
  package var source: String?

  @Option(help: ArgumentHelp("The model.", valueName: "name"))
  package var model: String?

  @Option(
    help: ArgumentHelp(
      "A pipeline instead of a model: a ready-made one (faces, people, small-faces), or a file.",
      valueName: "pipeline"))
  package var pipeline: String?

  @Option(
    help: ArgumentHelp("The folder of the models of ready-made pipelines.", valueName: "dir"),
    completion: .directory)
  package var models: String?

  @Option(
    help: ArgumentHelp(
      "Take another model of the catalog for one of the pipeline: --use fer=mine. May be given several times.",
      valueName: "model=other"))
  package var use: [String] = []

  @Option(
    help: ArgumentHelp(
      "The dataset of captured frames. The first one creates it.", valueName: "dataset"))
  package var capture = "live"

  @Option(
    help: ArgumentHelp("Capture frames whose best score is below this.", valueName: "score"))
  package var captureBelow: Double?

  @Option(
    help: ArgumentHelp(
      "Apply this decision of assay decide: what it does not accept is marked.",
      valueName: "file"), completion: .file())
  package var decision: String?

  @Flag(help: "Capture frames that the decision does not accept.")
  package var captureUnsure = false

  @Option(
    help: ArgumentHelp(
      "Capture frames that show this class. May be repeated.", valueName: "class"))
  package var captureClass: [String] = []

  @Option(
    help: ArgumentHelp(
      "Capture frames in which this model sees other classes.", valueName: "model"))
  package var disagree: String?

  @Option(
    help: ArgumentHelp(
      "The least number of seconds between two frames that a rule captures.",
      valueName: "seconds"))
  package var captureEvery = 1.0

  @OptionGroup package var author: AuthorOptions

  @Flag(help: "Open the page in the desktop's browser.")
  package var open = false

  @OptionGroup package var server: ServerOptions
  @OptionGroup package var limits: ModelLimitOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard (model == nil) != (pipeline == nil) else {
      throw ValidationError("give either --model NAME or --pipeline NAME")
    }
    if let captureBelow, !(0...1).contains(captureBelow) {
      throw ValidationError("--capture-below must be in 0...1")
    }
    guard captureEvery.isFinite, captureEvery >= 0, captureEvery <= 86_400 else {
      throw ValidationError("--capture-every must be in 0...86400 seconds")
    }
    if let source, source != "-" {
      throw ValidationError(
        "the only source is - for standard input; a video file is imported by assay import")
    }
    if !use.isEmpty, pipeline == nil { throw ValidationError("--use needs --pipeline") }
    _ = try ModelReplacements.parse(use)
    if captureUnsure, decision == nil { throw ValidationError("--capture-unsure needs --decision") }
    if disagree != nil, model == nil { throw ValidationError("--disagree needs --model") }
  }

  package func run() throws {
    try options.perform { progress in
      try limits.enterChild(isServing: true)
      let author = try ReviewAuthor.checked(author.found.name)
      let path = options.catalogPath
      // A pipeline can bring its own models into a new catalog, which is removed with the object if it stays empty.
      let catalog = try Catalog.open(path, pipeline == nil ? .readWrite : .create)
      defer { withExtendedLifetime(catalog) {} }
      if let other = try RunningServer.find(ledger: Ledger.path(forCatalog: path)) {
        throw LiveServerTaken(base: other.base)
      }
      (progress as? ProgressBar)?.finish()
      var live = LiveSettings()
      (live.model, live.pipeline, live.modelFolder) = (model, pipeline, models)
      (live.second, live.capture, live.isStream) = (disagree, capture, source != nil)
      (live.below, live.classes, live.interval) = (captureBelow, captureClass, captureEvery)
      live.replacements = try ModelReplacements.parse(use)
      (live.decision, live.capturesDoubt) = (decision, captureUnsure)
      var settings = ReviewServerSettings(catalogPath: path, review: nil, author: author)
      settings.live = live
      let summary = try server.serve(settings, options) { [open] link in
        if open { DesktopBrowser.show(link.url) }
      }
      var end = LiveEndResult(
        captured: summary.captured, dataset: capture, model: model, problem: summary.captureProblem)
      guard summary.capturedNow > 0, summary.captureProblem == nil, let track = summary.track
      else { return end }
      var session = SessionRuns.Request(
        dataset: capture, track: track, programVersion: ProgramVersion.number)
      (session.model, session.second, session.decision) = (model, disagree, decision)
      (session.pipeline, session.modelFolder) = (pipeline, models)
      session.replacements = live.replacements
      let frames = Counted.text(summary.capturedNow, "captured frame", "captured frames")
      try? Output.write("predicting \(frames); Ctrl-C ends this\n", to: .standardError)
      // The interrupt that ended the server is not one of this.
      Interruption.ignoring {
        do {
          end.made = try SessionRuns(session, catalog: catalog, progress: progress).run()
        } catch { end.runProblem = "\(error)" }
      }
      return end
    }
  }
}

/// Another server runs for the catalog.
struct LiveServerTaken: Error, CustomStringConvertible {
  let base: String

  var description: String {
    "a server runs for this catalog already, at \(base), and a catalog has one at a time; end it (Ctrl-C where it "
      + "runs) and try again"
  }
}

/// The end of live recognition.
struct LiveEndResult: CommandResult {
  let captured: Int
  let dataset: String
  let model: String?
  /// The reason why the dataset lacks frames; `nil` if it has all.
  let problem: String?
  /// The view and the runs of this session's frames; `nil` without any.
  var made: SessionRuns.Made?
  /// The reason why the frames were not predicted; `nil` if they were.
  var runProblem: String?

  var json: JSONValue {
    [
      "ended": true, "dataset": .string(dataset), "frames": JSONValue(captured),
      "problem": JSONValue(problem), "view": JSONValue(made?.view),
      "runs": .array((made?.runs ?? []).map { .string($0) }),
      "run_problem": JSONValue(runProblem),
    ]
  }

  func text(in terminal: Terminal) -> String {
    guard captured > 0 else { return "the server has ended; nothing was captured" }
    if let problem {
      return terminal.wrong("the captured frames are in their folder, and not in the dataset: ")
        + Terminal.safe(problem)
    }
    let head = "the server has ended; \(dataset) has \(Counted.text(captured, "frame", "frames"))\n"
    if let runProblem {
      return head
        + terminal.wrong("this session's frames were not predicted: ") + Terminal.safe(runProblem)
        + "\nnext: assay open \(dataset), assay review \(dataset)"
    }
    guard let made else { return head + "next: assay open \(dataset), assay review \(dataset)" }
    let names = made.runs.map(Terminal.safe)
    return head
      + "this session: the view \(Terminal.safe(made.view)), predicted as \(names.joined(separator: ", "))\n"
      + "next: assay open \(names.joined(separator: " ")), assay review \(names[0])"
  }
}
