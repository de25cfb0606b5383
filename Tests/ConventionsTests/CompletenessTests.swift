import Testing

@Suite struct CompletenessTests {
  @Test("Every importer has its test")
  func importersAreTested() {
    let importers = PackageFiles.paths(below: "Sources/AssayFormats/Importers")
    #expect(importers.contains { $0.hasSuffix("Importer.swift") })
    let missing = Completeness.untested(
      importers: importers, tests: PackageFiles.paths(below: "Tests/AssayFormatsTests"))
    #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
  }

  @Test("Every format has its fixtures")
  func formatsHaveFixtures() throws {
    let text = try PackageFiles.file("Sources/AssayCore/DatasetFormat.swift").text
    let formats = Completeness.spellings(ofEnumIn: text)
    #expect(formats.contains("fer") && formats.contains("pixel-csv"))
    let missing = Completeness.withoutFixtures(
      formats: formats, fixtures: PackageFiles.paths(below: "Tests/Fixtures"))
    #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
  }

  /// A list in the code and the document that must contain all of it.
  enum Listed: String, CaseIterable {
    case formats = "Docs/Formats.md: DatasetFormat"
    case exports = "Docs/Formats.md: ExportCommand.Target"
    case issues = "Docs/Formats.md: IssueKind"
    case findings = "Docs/Formats.md: FindingKind"
    case metrics = "Docs/Metrics.md: MetricKind"
    case manifestKeys = "Docs/Models.md: manifest keys"
    case queryFields = "Docs/Queries.md: fields of samples and runs"
    case tables = "Docs/Design.md: tables of the catalog and the ledger"
    case makeTargets = "Docs/Contributing.md: make targets"
    case commands = "Docs/Commands.md: commands"

    var document: String { String(rawValue.prefix { $0 != ":" }) }

    /// Some of the words, so that an incorrectly parsed list does not pass.
    var known: [String] {
      switch self {
      case .formats: ["fer", "pixel-csv", "coco", "camvid", "masks", "image-folder"]
      case .exports: ["masks", "coco", "fer", "folder"]
      case .issues: ["fieldCount", "badChecksum"]
      case .findings: ["unreadable", "nearDuplicate", "leakage", "labelError"]
      case .metrics: ["accuracy", "top5", "AP", "best_threshold"]
      case .manifestKeys: ["name", "classes", "width", "anchor", "head", "box-classes"]
      case .queryFields:
        ["split", "count", "corrected_by", "center_offset", "confidence", "missed"]
      case .tables: ["dataset", "score", "pixelTally", "match", "correctedBy", "review", "ledger"]
      case .makeTargets: ["build", "test", "lint", "bench-replay"]
      case .commands: ["assay import", "assay model add"]
      }
    }

    func words() throws -> [String] {
      func spellings(_ path: String, of name: String? = nil) throws -> [String] {
        Completeness.spellings(ofEnumIn: try PackageFiles.file(path).text, called: name)
      }
      switch self {
      case .formats: return try spellings("Sources/AssayCore/DatasetFormat.swift")
      case .exports: return try spellings("Sources/AssayCommands/ExportCommand.swift", of: "Target")
      case .issues: return try spellings("Sources/AssayCore/Issue.swift", of: "IssueKind")
      case .findings:
        return try spellings("Sources/AssayCore/FindingKind.swift", of: "FindingKind")
      case .metrics: return try spellings("Sources/AssayCore/MetricKind.swift")
      case .manifestKeys:
        return Completeness.manifestKeys(
          in: try PackageFiles.swift(below: "Sources/AssayInference/Manifest"))
      case .queryFields:
        let expression = "Sources/AssayStore/Query/ViewExpression.swift"
        let subjects = try PackageFiles.file("Sources/AssayStore/Query/SubjectText.swift").text
        return try Completeness.subjects(in: subjects)
          + spellings(expression, of: "ReviewMark") + spellings(expression, of: "RunField")
      case .tables:
        return Completeness.tables(in: try PackageFiles.swift(below: "Sources/AssayStore"))
      case .makeTargets:
        return Completeness.targets(ofMakefile: try PackageFiles.file("Makefile").text)
      case .commands:
        return CommandTree(try PackageFiles.swift(below: "Sources/AssayCommands")).spellings
      }
    }
  }

  @Test("Each list of the code is complete in its document", arguments: Listed.allCases)
  func documentsAreComplete(listed: Listed) throws {
    let words = try listed.words()
    #expect(Set(words).isSuperset(of: listed.known), "\(words)")
    let text = try PackageFiles.file(listed.document).text
    let missing =
      listed == .commands
      ? words.filter { !text.contains("\n## \($0)\n") }
      : Completeness.undocumented(words, in: text)
    #expect(missing.isEmpty, "\(listed.document) lacks \(missing.joined(separator: ", "))")
  }

  @Test("Every key of the example manifests is one that the document has")
  func exampleManifests() throws {
    let document = try PackageFiles.file("Docs/Models.md").text
    for path in PackageFiles.paths(below: "Datasets/models") where path.hasSuffix(".yaml") {
      let text = try PackageFiles.file(path).text
      let keys = text.matches(of: #/(?m)^ *([a-z][a-z-]*):(?: |$)/#).map { String($0.output.1) }
      #expect(keys.contains("task"))
      let missing = Completeness.undocumented(keys, in: document)
      #expect(missing.isEmpty, "\(path): Docs/Models.md lacks \(missing.joined(separator: ", "))")
    }
  }

  @Test("An importer without a test is found")
  func untestedImporter() {
    let importers = ["a/FERImporter.swift", "a/COCOImporter.swift", "a/FERColumns.swift"]
    #expect(
      Completeness.untested(importers: importers, tests: ["b/FERImporterTests.swift"])
        == ["COCOImporter has no COCOImporterTests.swift"])
  }

  @Test("A format without fixtures is found")
  func noFixtures() {
    #expect(
      Completeness.withoutFixtures(
        formats: ["fer", "coco"], fixtures: ["Tests/Fixtures/fer/a.csv"])
        == ["no fixture in Tests/Fixtures/coco"])
  }

  @Test("An enum's spellings are its raw values, else its names")
  func enumSpellings() {
    let text = """
      /// case zero
      enum A: String {
        case one
        case two = "2-two", three
        // case four
        var b: Int { switch self { case .one: 1 } }
      }
      """
    #expect(Completeness.spellings(ofEnumIn: text) == ["one", "2-two", "three"])
  }

  @Test("Of several enums in a file only the one that is asked for is read")
  func enumByName() {
    let text = """
      enum A: String {
        case one
        enum B: String {
          case two
          var c: Int { 1 }
        }
      }
      enum Ba {
        case three
      }
      """
    #expect(Completeness.spellings(ofEnumIn: text, called: "B") == ["two"])
    #expect(Completeness.spellings(ofEnumIn: text, called: "Ba") == ["three"])
    #expect(Completeness.spellings(ofEnumIn: text, called: "C") == [])
  }

  @Test("Manifest keys are those of the lists of allowed keys")
  func manifestKeys() {
    let text = """
      static let detectorKeys = [
        "head", "box-order",
      ]
      try top.allow(
        ["name", "task"] + detectorKeys)
      try section.allow([
        "width", "name",
      ])
      let other = ["none"]
      """
    #expect(
      Completeness.manifestKeys(in: [SourceFile(path: "a.swift", text: text)])
        == ["box-order", "head", "name", "task", "width"])
  }

  @Test("Tables are those that statements in the sources create, the migrator's own left out")
  func createdTables() {
    let text = """
      CREATE TABLE sample (id INTEGER) STRICT;
      CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT);
      CREATE TEMP TABLE wanted (id INTEGER);
      CREATE INDEX a ON sample (id);
      """
    #expect(Completeness.tables(in: [SourceFile(path: "a.swift", text: text)]) == ["sample"])
  }

  @Test("Make targets are those that have a description")
  func describedTargets() {
    let text = "build: setup ## Build\nassay: Package.swift\n\nbench-replay: ## Time it\n\ttrue\n"
    #expect(Completeness.targets(ofMakefile: text) == ["build", "bench-replay"])
  }

  @Test("A word counts only as a whole")
  func wholeWords() {
    let document = "`macro_f1` and (top1); pixel-csv"
    #expect(
      Completeness.undocumented(["macro_f1", "f1", "top1", "pixel-csv", "csv"], in: document)
        == ["f1", "csv"])
  }

  @Test("The command tree gives each command's full spelling")
  func commandTree() {
    let text = """
      package struct Assay: ParsableCommand {
        static let configuration = CommandConfiguration(
          commandName: "assay", subcommands: [Import.self, ModelCommand.self, BackUp.self])
      }
      struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "import")
      }
      struct BackUp: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Copy.")
      }
      struct ModelCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
          commandName: "model", subcommands: [ModelAdd.self])
      }
      struct ModelAdd: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add")
      }
      struct Options: ParsableArguments {}
      """
    let tree = CommandTree([SourceFile(path: "a.swift", text: text)])
    #expect(tree.spellings == ["assay back-up", "assay import", "assay model add"])
  }
}
