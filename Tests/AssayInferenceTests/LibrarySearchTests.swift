import Testing

@testable import AssayInference

@Suite("Where OpenVINO is looked for")
struct LibrarySearchTests {
  @Test("The variable first, then beside the program, then up to the checkout")
  func order() {
    let search = LibrarySearch(
      environment: ["ASSAY_OPENVINO": "/own"], executable: "/src/a/.build/release/assay")
    #expect(
      Array(search.folders.prefix(5)) == [
        "/own", "/src/a/.build/lib/assay", "/src/a/.build/release/.deps/openvino/libs",
        "/src/a/.build/.deps/openvino/libs", "/src/a/.deps/openvino/libs",
      ])
  }

  @Test("An installed program looks into lib/assay beside its bin")
  func installed() {
    let search = LibrarySearch(environment: [:], executable: "/usr/local/bin/assay")
    #expect(search.folders.first == "/usr/local/lib/assay")
  }

  @Test("Where it is nowhere, the places and the next step are named")
  func nowhere() {
    let text = "\(InferenceError.libraryNotFound(searched: ["/a", "/b"], failures: []))"
    #expect(text.contains("/a, /b") && text.contains("Scripts/setup"))
  }
}
