package import ArgumentParser
import AssayWorkflows

/// The options that merge, rename and leave out classes.
package struct ClassChangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Merge classes: a,b=c writes a and b as c. Can be repeated.", valueName: "a,b=c"))
  package var map: [String] = []

  @Option(help: ArgumentHelp("Rename a class. Can be repeated.", valueName: "a=b"))
  package var rename: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out the annotations of classes. Can be repeated. With convert, crowd leaves out the regions of crowds if no class has this name.",
      valueName: "a,b"))
  package var drop: [String] = []

  package init() {}

  package func validate() throws { _ = try changes() }

  /// - Throws: `ValidationError`.
  func changes() throws -> ClassChanges {
    var changes = ClassChanges()
    for text in map where !changes.addMerge(text, isRename: false) {
      throw ValidationError("--map takes classes and their new name: 'car,truck=vehicle'")
    }
    for text in rename where !changes.addMerge(text, isRename: true) {
      throw ValidationError("--rename takes a class and its new name: car=auto")
    }
    for text in drop where !changes.addDropped(text) {
      throw ValidationError("--drop takes classes separated by commas")
    }
    return changes
  }
}
