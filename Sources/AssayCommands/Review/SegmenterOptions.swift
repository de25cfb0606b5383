package import ArgumentParser
import AssayCore
import AssayWorkflows

/// The promptable model of the editor.
package struct SegmenterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The promptable model of the editor (assay model add --decoder). Default: the catalog's only one.",
      valueName: "name"))
  package var segmenter: String?

  @OptionGroup package var limits: ModelLimitOptions

  package init() {}

  /// Returns the model to use, in a process with limits if there is one; does not return in its parent.
  func enterChild(catalogPath: String) throws -> String? {
    let name = try PromptStore(catalogPath: catalogPath).chosen(segmenter)
    if name != nil { try limits.enterChild(isServing: true) }
    return name
  }
}

/// An added promptable model.
struct SegmenterAddResult: CommandResult {
  let added: PromptStore.Added

  var json: JSONValue {
    [
      "added": .bool(added.isNew), "segmenter": .string(added.name),
      "manifest": .string(added.manifest), "side": JSONValue(added.side),
    ]
  }

  func text(in terminal: Terminal) -> String {
    """
    \(added.isNew ? "added the promptable model" : "there already is the promptable model") \(Terminal.safe(added.name)); \
    images are resized to \(added.side) pixels
    its manifest: \(Terminal.safe(added.manifest))
    next: assay review VIEW --segmenter \(Terminal.safe(added.name)), and press ! in the editor
    """
  }
}
