import AssayCore
import Testing

@Suite("assay formats")
struct FormatsCommandTests {
  @Test("Every format is listed with what it is recognized by, without a catalog")
  func formats() throws {
    let program = try Program()
    let text = try program.run("formats")
    #expect(text.status == 0)
    for format in DatasetFormat.allCases { #expect(text.stdout.contains("\(format.rawValue) ")) }
    #expect(text.stdout.split(separator: "\n").allSatisfy { $0.count <= 100 })
    let json = try program.run("formats", "--json").json()
    #expect(
      json["formats"]?.elements?.map { $0["name"]?.text }
        == DatasetFormat.allCases.map(\.rawValue))
    let entries = try #require(json["formats"]?.elements)
    let voc = entries.first { $0["name"]?.text == "voc" }
    #expect(voc?["not_held"]?.elements?.contains("masks") == true, "\(entries)")
    #expect(entries.first { $0["name"]?.text == "kitti" }?["written"] == false)
    #expect(text.stdout.contains("written without"))
    #expect(!program.folder.has("assay.db"))
  }
}
