import Testing

/// A command whose complete output is compared, byte by byte, with a file in
/// `Tests/Fixtures/goldens/expected`.
struct GoldenCase: Sendable, CustomTestStringConvertible {
  /// The form of the output.
  enum Form: String, Sendable {
    /// Text as written to a file or a pipe.
    case text = "txt"
    /// Text for a terminal of 60 columns.
    case narrow = "narrow.txt"
    /// The command with `--json`.
    case json = "json.txt"
  }

  /// The golden file without its extension: `labels/evaluate`.
  let name: String
  /// The arguments separated by blanks; those that contain blanks are in single quotes.
  let command: String
  let form: Form
  /// The catalog that the command runs on.
  let catalog: GoldenCatalog.Kind

  /// The golden file, relative to the folder of the expected output.
  var path: String { "\(name).\(form.rawValue)" }
  var testDescription: String { path }

  /// The arguments of the program.
  var arguments: [String] { TourTests.words(of: command) + (form == .json ? ["--json"] : []) }
  var environment: [String: String] {
    GoldenCatalog.environment.merging(form == .narrow ? ["COLUMNS": "60"] : [:]) { $1 }
  }

  /// The cases from rows: a name, a command, and the forms of its output.
  static func cases(
    _ folder: String, on catalog: GoldenCatalog.Kind = .imported,
    _ rows: [(name: String, command: String, forms: [Form])]
  ) -> [GoldenCase] {
    rows.flatMap { row in
      row.forms.map {
        GoldenCase(
          name: "\(folder)/\(row.name)", command: row.command, form: $0, catalog: catalog)
      }
    }
  }
}
