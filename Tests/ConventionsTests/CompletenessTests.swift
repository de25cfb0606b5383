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

  @Test("README explains every format and every metric key")
  func documentsAreComplete() throws {
    let formats = Completeness.spellings(
      ofEnumIn: try PackageFiles.file("Sources/AssayCore/DatasetFormat.swift").text)
    let metrics = Completeness.spellings(
      ofEnumIn: try PackageFiles.file("Sources/AssayCore/MetricKind.swift").text)
    #expect(metrics.contains("accuracy") && metrics.contains("top5"))
    let missing = Completeness.undocumented(
      formats + metrics, in: try PackageFiles.file("README.md").text)
    #expect(missing.isEmpty, "README.md lacks \(missing.joined(separator: ", "))")
  }

  @Test("README's command reference has every command")
  func commandsAreDocumented() throws {
    let commands = CommandTree(try PackageFiles.swift(below: "Sources/AssayCommands")).spellings
    #expect(commands.contains("assay import"))
    let readme = try PackageFiles.file("README.md").text
    let missing = commands.filter { !readme.contains($0) }
    #expect(missing.isEmpty, "README.md lacks \(missing.joined(separator: ", "))")
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
