package import ArgumentParser
package import AssayWorkflows

/// The ground truth that a command uses; for all commands that read labels or regions.
package struct TruthOptions: ParsableArguments {
  @Flag(help: "Use the corrected ground truth instead of the imported one.")
  package var corrected = false

  @Option(
    help: ArgumentHelp(
      "With --corrected: up to this entry of the ledger (assay corrections ls). Default: the last.",
      valueName: "entry"))
  package var at: Int64?

  package init() {}

  package mutating func validate() throws {
    guard at == nil || corrected else { throw ValidationError("--at needs --corrected") }
    guard at ?? 0 >= 0 else { throw ValidationError("--at must be the number of an entry, or 0") }
  }

  /// The choice.
  package var choice: TruthChoice { TruthChoice(corrected: corrected, at: at) }
}
