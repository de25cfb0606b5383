package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay query`: lists the samples that match an expression.
package struct QueryCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "List the samples that match an expression of the view language.",
    discussion: """
      assay query 'split = validation and label in (happy, sad)' --in faces
      assay query 'run(r1).correct = false and run(r1).confidence > 0.9' --show wrong.png

      assay query 'count(person) in 1..2 and count(person, crowd) = 0 and coverage(person) in 0.2..0.7'
      assay query --sort 'run(seg).center_offset' --descending --limit 10
      assay query 'run(det).false_positives > 0 and count(person) > 3' --show wrong.png
      assay query --in photos --show predicted.png --run seg

      assay query 'label != run(r1).label and run(r1).confidence > run(r2).confidence' --in faces
      assay query 'key like "*night*" and (tag = hard or note like "*blur*")' --in faces

      assay query 'corrected_by = anna and not reviewed = true' --in faces
      assay query 'label = sad' --corrected --count

      Fields: split, label, key, width, height, part, part(PARTITION), issue; frame, time, track \
      of the frames of a video; count(CLASS) \
      without crowds, count(CLASS, crowd), coverage(CLASS): the share of the image that the class's regions \
      cover together, crowds included; run(NAME).correct, .label, .confidence, .margin of a classification, with a decision .accepted; \
      run(NAME).iou, .dice, .precision, .recall, .pixel_accuracy, .boundary_iou, .hausdorff95, .uncertainty, \
      .center_offset of a segmentation's evaluation, run(NAME@EVALUATION).iou for an evaluation under another name; \
      run(NAME).true_positives, .false_positives, .false_negatives, .precision, .recall, .detections, \
      .classification_errors, .localization_errors, .both_errors, .duplicates, .background_errors, .missed of a \
      detector, counted at the evaluation's IoU (0.5) and minimum score (0.3), which the output states, or at \
      those of run(NAME, iou: 0.75, score: 0.5), and for one class with run(NAME, class: person); .detections \
      needs no evaluation; similarity(RUN, KEY), the cosine of the embeddings that a run keeps of the image \
      and of the one with the key. \
      Review results, with imported and corrected ground truth alike: corrected, left_out, reviewed, unsure, \
      conflict (= true or false), corrections (the number), corrected_by (a person), tag (`assay tag` adds \
      one), note (what someone wrote about the sample). \
      Operators: = != < <= > >=, in (a, b), in 1..2, like "*pattern?*" for texts; and, or, not and \
      parentheses. The right side of a comparison can be another field of the same kind: width < height, \
      run(a).correct != run(b).correct. Names with blanks are quoted. A comparison with a missing value is \
      false.

      The first query about a class's coverage measures its regions and stores the result in the \
      catalog; if the catalog is read-only, each command measures again.
      """)

  @Argument(help: "The expression; all samples without it.")
  package var expression: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("The expression, as other commands take it.", valueName: "expression"))
  package var condition: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "A dataset, a saved view, or a part of one. Default: the only dataset.",
      valueName: "view"))
  package var view: String?

  @Flag(help: "Print only the number of samples.")
  package var count = false

  @Option(
    help: ArgumentHelp(
      "The maximum number of samples, 0 for all. Default: 20 as text, all as JSON.", valueName: "n")
  )
  package var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Sort by a number or a text: coverage(CLASS), run(NAME).iou, similarity(RUN, KEY), width, key, label. "
        + "Ascending; samples without a value last. random: the random order of the grid of assay open.",
      valueName: "field"))
  package var sort: String?

  @Flag(help: "With --sort: descending order.")
  package var descending = false

  @Option(
    help: ArgumentHelp(
      "With --sort random: the number that the order depends on, as in the grid. Default: 1.",
      valueName: "number"))
  package var seed: UInt64?

  @Option(
    help: ArgumentHelp("Draw the samples with their labels on one sheet.", valueName: "sheet.png"))
  package var show: String?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "With --show: draw this run's predictions with their confidence, and the ground truth in blue. "
        + "Default: the run that the expression or --sort names.", valueName: "run"))
  package var runName: String?

  @Flag(help: "Overwrite a file that assay did not write.")
  package var force = false

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions

  @OptionGroup package var options: GlobalOptions

  package init() {}

  /// The number of samples that the text lists if no limit is given.
  static let textLimit = 20

  package func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must be 0 or more") }
    guard expression == nil || condition == nil else {
      throw ValidationError("give the expression once: as argument or with --where")
    }
    guard sort != nil || !descending else { throw ValidationError("--descending needs --sort") }
    guard !isRandom || !descending else {
      throw ValidationError("--sort random has no direction; leave out --descending")
    }
    guard isRandom || seed == nil else { throw ValidationError("--seed needs --sort random") }
    guard runName == nil || show != nil else { throw ValidationError("--run needs --show") }
    if let show { try PictureName.check(show, option: "show") }
  }

  package func run() throws {
    try options.perform { bar in
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .readOnly, truth: truth.choice, reportingTo: bar)
      let catalog = opened.catalog
      var sheet = try show.map { try OutputFile($0, force: force) }
      let found = try SampleSearch(catalog: catalog).search(
        expression ?? condition, in: view,
        orderedBy: isRandom
          ? nil : sort.map { SampleOrder(field: $0, isDescending: descending) },
        shuffledBy: isRandom ? seed ?? 1 : nil,
        limit: searchLimit)
      var result = QueryResult(found: found, isCount: count, listed: listed)
      if let show {
        let drawn = try SampleSheet(catalog: catalog, found: found, run: runName).draw()
        try sheet?.write(drawn.png)
        result.sheet = QueryResult.Sheet(
          path: show, pictures: drawn.pictures, unreadable: drawn.unreadable)
      }
      var use = opened.corrections.of(found.selection.dataset.name)
      use.leavesOut = false
      return CorrectedResult(result, use)
    }
  }

  private var isRandom: Bool { sort == "random" }

  /// The number of samples that the result lists; `nil` for all.
  private var listed: Int? {
    switch limit {
    case 0: nil
    case let limit?: limit
    case nil: options.json ? nil : Self.textLimit
    }
  }

  /// The number of samples that the search must return: those listed and those drawn.
  private var searchLimit: Int? {
    let drawn = show == nil ? 0 : limit.map { $0 == 0 ? .max : $0 } ?? SampleSheet.limit
    if count { return min(drawn, SampleSheet.limit) }
    return listed.map { max($0, min(drawn, SampleSheet.limit)) }
  }
}
