package import ArgumentParser

/// The options of `assay predict` for a planned run.
package struct PlanOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The plan of the run (assay plan predict); no catalog is needed.", valueName: "file"),
    completion: .file(extensions: ["assayplan"]))
  package var plan: String?

  @Option(
    help: ArgumentHelp(
      """
      With --plan: the place of the images on this machine, if it is another one; SOURCE=PATH for a source of a merged \
      dataset, once for each.
      """, valueName: "path"))
  package var images: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --plan: the place of the model's file on this machine, if it is another one.",
      valueName: "file"), completion: .file())
  package var modelFile: String?

  package init() {}

  func validate(isPlanned: Bool) throws {
    guard isPlanned || images.isEmpty && modelFile == nil else {
      throw ValidationError(
        "--images and --model-file are for --plan; with a catalog, see assay relink and assay model edit"
      )
    }
  }
}
