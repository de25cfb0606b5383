package import ArgumentParser
package import AssayWorkflows

/// The columns, classes and keys of a predictions file, as its user states them.
package struct PredictionColumnOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The column of sample keys.", valueName: "name"))
  package var keyColumn: String?

  @Option(
    help: ArgumentHelp(
      "The column of predicted classes, of a table without scores.", valueName: "name"))
  package var labelColumn: String?

  @Option(
    help: ArgumentHelp(
      "The beginning of the names of score columns; the rest of a name is the class, other columns are left out.",
      valueName: "text"))
  package var scorePrefix: String?

  @Option(help: ArgumentHelp("Columns to leave out, separated by commas.", valueName: "names"))
  package var ignoreColumns: String?

  @Option(
    help: ArgumentHelp(
      "The classes: A,B,… or a file with one per line. Of an array in the order of its scores; of a table the columns that are scores.",
      valueName: "list"))
  package var classes: [String] = []

  @Option(
    help: ArgumentHelp(
      "Classes are given by number, and this is the first one: 0 or 1. The numbers count --classes, else the dataset's classes in their order.",
      valueName: "first"))
  package var classNumbers: Int?

  @Option(
    help: ArgumentHelp(
      "The separator of a CSV file. Default: the one in its header.", valueName: "name"))
  package var separator: PredictionsImport.Options.Separator?

  @Flag(help: "Numbers have a decimal comma.")
  package var decimalComma = false

  @Option(
    help: ArgumentHelp(
      "The keys of an array's rows: a text file with one per line, a .npy of texts, or the name of an array of the .npz.",
      valueName: "file"), completion: .file())
  package var keys: String?

  @Option(help: ArgumentHelp("The array of scores in an .npz file.", valueName: "name"))
  package var array: String?

  @Flag(help: "Join keys and samples by the names of their files alone, whatever their folders.")
  package var matchNames = false

  package init() {}

  /// The options that were given, as they are spelled.
  var given: [String] {
    [
      ("--key-column", keyColumn != nil), ("--label-column", labelColumn != nil),
      ("--score-prefix", scorePrefix != nil), ("--ignore-columns", ignoreColumns != nil),
      ("--classes", !classes.isEmpty), ("--class-numbers", classNumbers != nil),
      ("--separator", separator != nil), ("--decimal-comma", decimalComma), ("--keys", keys != nil),
      ("--array", array != nil), ("--match-names", matchNames),
    ].filter(\.1).map(\.0)
  }

  func options() throws -> PredictionsImport.Options {
    var options = PredictionsImport.Options()
    options.key = keyColumn
    options.label = labelColumn
    options.prefix = scorePrefix
    options.ignored =
      ignoreColumns?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    options.classes = classes.isEmpty ? nil : try ClassListText(classes).names
    if let first = classNumbers {
      guard (0...1).contains(first) else {
        throw ValidationError("--class-numbers must be 0 or 1, the number of the first class")
      }
      options.firstNumber = first
    }
    options.separator = separator
    options.hasDecimalCommas = decimalComma
    options.array = array
    return options
  }
}

extension PredictionsImport.Options.Separator: ExpressibleByArgument {}
extension LogitActivation: ExpressibleByArgument {}
