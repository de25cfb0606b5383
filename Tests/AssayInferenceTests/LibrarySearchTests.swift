import Foundation
import Testing

import AssayInference

@Suite("The search for OpenVINO")
struct LibrarySearchTests {
  private func folders(_ executable: String, _ environment: [String: String] = [:]) -> [String] {
    LibrarySearch(environment: environment, executable: executable, checkout: "/src/a").folders
      .filter { !$0.hasPrefix("/usr/lib") && $0 != "/usr/local/lib" }
  }

  @Test("The folder of the variable comes first")
  func variable() {
    #expect(
      folders("/src/a/assay", ["ASSAY_OPENVINO": "/own"]) == ["/own", "/src/a/.deps/openvino/libs"])
    #expect(folders("/x/assay", ["ASSAY_OPENVINO": ""]).isEmpty)
  }

  @Test(
    "Programs of the checkout use its .deps, and no other folder above them",
    arguments: [
      ("/src/a/assay", true), ("/src/a/.build/x86_64-unknown-linux-gnu/debug/assay", true),
      ("/src/a/.build/debug/assayPackageTests.xctest", true), ("/src/assay", false),
      ("/src/a/x/assay", false), ("/src/ab/.build/debug/assay", false), ("/x/y/assay", false),
    ])
  func checkout(_ executable: String, _ isOfCheckout: Bool) {
    #expect(folders(executable) == (isOfCheckout ? ["/src/a/.deps/openvino/libs"] : []))
  }

  @Test("An installed program looks into lib/assay beside its bin, and only that")
  func installed() {
    #expect(folders("/opt/bin/assay") == ["/opt/lib/assay"])
  }

  @Test("A library that another user can change, or owns, is refused with the reason")
  func owners() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-\(UUID())").path
    let bin = folder + "/bin"
    let libraries = folder + "/lib/assay"
    for path in [bin, libraries] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let library = libraries + "/" + LibrarySearch.fileName
    try Data().write(to: URL(fileURLWithPath: library))
    let search = LibrarySearch(environment: [:], executable: bin + "/assay", checkout: "/src/a")
    #expect(search.candidates.contains(library))
    #expect(search.refusal(of: library) == nil)
    #expect(chmod(libraries, 0o777) == 0)
    #expect(search.refusal(of: library)?.contains("can be changed by any user") == true)
    #expect(chmod(libraries, 0o755) == 0)
    guard geteuid() == 0 else { return }
    #expect(chown(library, 4711, 4711) == 0)
    #expect(search.refusal(of: library)?.contains("belongs to another user (4711)") == true)
  }

  @Test("A relative folder in the variable is refused")
  func relative() {
    let search = LibrarySearch(
      environment: ["ASSAY_OPENVINO": "."], executable: "/x/assay", checkout: "/src/a")
    #expect(
      search.refusal(of: "./\(LibrarySearch.fileName)")
        == "$ASSAY_OPENVINO is not an absolute path")
  }

  @Test("If OpenVINO is not found, the error names the searched folders and the next step")
  func nowhere() {
    let text = "\(InferenceError.libraryNotFound(searched: ["/a", "/b"], failures: []))"
    #expect(text.contains("/a, /b") && text.contains("Scripts/setup"))
    #expect(text.contains("pip install openvino==\(LibrarySearch.release)"))
  }
}
