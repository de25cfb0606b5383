import Testing

@Suite struct DocumentsTests {
  /// The package's documents by path.
  private func documents() throws -> [String: Markdown] {
    let paths =
      ["README.md", "CHANGELOG.md"]
      + ["Docs", "Datasets", "Benchmarks", "Tests/Fixtures"].flatMap(PackageFiles.paths)
      .filter { $0.hasSuffix(".md") }
    return Dictionary(
      uniqueKeysWithValues: try paths.map { ($0, Markdown(try PackageFiles.file($0).text)) })
  }

  @Test("Links between documents lead to files and headings that are there")
  func links() throws {
    let documents = try documents()
    #expect(documents.keys.filter { $0.hasPrefix("Docs/") }.count >= 10)
    #expect(documents.values.reduce(0) { $0 + $1.links.count } > 100)
    let broken = documents.keys.sorted().flatMap {
      Markdown.brokenLinks(of: $0, in: documents, exists: PackageFiles.exists)
    }
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }

  @Test("README has at most 300 lines and links to every document in Docs")
  func readme() throws {
    let text = try PackageFiles.file("README.md").text
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 301)
    let linked = Set(Markdown(text).links.map(\.path))
    let missing = PackageFiles.paths(below: "Docs").filter { !linked.contains($0) }
    #expect(missing.isEmpty, "README.md does not link to \(missing.joined(separator: ", "))")
  }

  @Test("Every document in Docs has a table of contents with all of its sections")
  func contents() throws {
    for path in PackageFiles.paths(below: "Docs") where path.hasSuffix(".md") {
      let document = Markdown(try PackageFiles.file(path).text)
      let listed = Set(document.links.filter(\.path.isEmpty).compactMap(\.anchor))
      #expect(document.anchors.contains("contents"), "\(path)")
      // The title and the table of contents itself are not listed in it.
      let missing = document.anchors.subtracting(listed).subtracting(["contents"])
      #expect(missing.count == 1, "\(path): \(missing.sorted().joined(separator: ", "))")
    }
  }

  @Test("The table of targets in Docs/Design.md is the import table")
  func targets() throws {
    let text = try PackageFiles.file("Docs/Design.md").text
    var found: [String: Set<String>] = [:]
    for line in text.split(separator: "\n") {
      guard let match = line.firstMatch(of: #/^\| \d \| `(\w+)` \|[^|]*\|([^|]*)\|$/#) else {
        continue
      }
      found[String(match.output.1)] = Set(
        match.output.2.matches(of: #/`(\w+)`/#).map { String($0.output.1) })
    }
    #expect(found == ImportTable.allowed)
    let missing = Completeness.undocumented(ImportTable.foreign.sorted(), in: text)
    #expect(missing.isEmpty, "Docs/Design.md lacks \(missing.joined(separator: ", "))")
  }

  @Test("Each migration has its row in Docs/Design.md")
  func migrations() throws {
    let source = try PackageFiles.file("Sources/AssayStore/Schema/Migrations.swift").text
    let names = source.matches(of: #/\("(\d+ [^"]+)", \w+\)/#).map { String($0.output.1) }
    #expect(names.count >= 5)
    let text = try PackageFiles.file("Docs/Design.md").text
    let missing = names.filter { !text.contains("\n| \($0) | ") }
    #expect(missing.isEmpty, "Docs/Design.md lacks \(missing.joined(separator: ", "))")
  }

  @Test("A broken link is found with its line")
  func brokenLink() {
    let documents = [
      "README.md": Markdown(
        "# A\n[b](Docs/B.md#two-words) [c](Docs/C.md)\n[d](Docs/B.md#none) [e](#a)"),
      "Docs/B.md": Markdown("## Two words!\n[up](../README.md) [out](../../x) [self](#no)"),
    ]
    func broken(_ path: String) -> [String] {
      Markdown.brokenLinks(of: path, in: documents) { documents[$0] != nil }
    }
    #expect(
      broken("README.md") == [
        "README.md:2: there is no Docs/C.md", "README.md:3: Docs/B.md has no #none",
      ])
    #expect(
      broken("Docs/B.md") == [
        "Docs/B.md:2: there is no ../../x", "Docs/B.md:2: Docs/B.md has no #no",
      ])
  }

  @Test("Links and headings in code and links to other sites are not checked")
  func code() {
    let text = """
      # Title
      `[a](b)` and [site](https://example.org/x)
      ```
      # no heading
      [c](d)
      ```
          [e](f)
      """
    let document = Markdown(text)
    #expect(document.links.isEmpty)
    #expect(document.anchors == ["title"])
  }

  @Test(
    "Anchors are made as GitHub makes them",
    arguments: [
      ("What it is", "what-it-is"), ("`--db`, and more", "--db-and-more"),
      ("pixel-csv", "pixel-csv"),
      ("[A link](x.md) too", "a-link-too"), ("Ground truth & co", "ground-truth--co"),
    ])
  func anchors(heading: String, anchor: String) {
    #expect(Markdown.anchor(of: heading) == anchor)
  }

  @Test("Headings of one name get a number from the second on")
  func repeatedHeadings() {
    #expect(Markdown("# A\n# A\n# A").anchors == ["a", "a-1", "a-2"])
  }
}
