import AssayCore
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Testing

@testable import AssayReview

@Suite("The facets of the browse page")
struct BrowseFacetsTests {
  private func search(_ expression: String = "") -> SampleBrowser.Search {
    SampleBrowser.Search(view: "set", expression: expression)
  }

  @Test("A run is kept until the catalog changes")
  func changedRun() throws {
    let world = try ReviewWorld.labels()
    let service = world.browseService
    func counted() throws -> Bool {
      let facets = try service.facets(search(), runs: ["r1"])["facets"]?.elements ?? []
      return facets.contains { $0["field"] == "run(r1).correct" }
    }
    #expect(try counted() && counted())
    let path = world.folder.path + "/x.db"
    let other = try CorrectedCatalog.open(path, .readWrite, reportingTo: NoProgress()).catalog
    _ = try other.remove(.run, named: "r1")
    #expect(try !counted())
  }

  @Test("One field of one value can be counted alone; several values are chosen by in")
  func oneFacet() throws {
    let world = try ReviewWorld.labels()
    let service = world.browseService
    let all = try #require(try service.facets(search("key != 0"), runs: ["r1"])["facets"]?.elements)
    #expect(all.map { $0["selection"] } == ["any", "any", "one", "any"])
    for facet in all {
      let field = try #require(facet["field"]?.text)
      let alone = try service.facets(search("key != 0"), runs: ["r1"], only: field)
      #expect(alone["facets"]?.elements == [facet], "\(field)")
    }
    for field in ["tag", "class", "run(r1).confidence", "nothing", ""] {
      #expect(try service.facets(search(), runs: ["r1"], only: field)["facets"] == [], "\(field)")
    }
    let found = try service.samples(search("label in (sad, happy)"), from: 0, limit: 9) { _ in "" }
    #expect(found["total"] == 4)
  }
}
