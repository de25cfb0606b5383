import AssayTestSupport
import Foundation
import Testing

@testable import AssayReports

/// The report's templates inside the program.
struct PageTemplatesTests {
  @Test("Every file of the folder is embedded, and nothing else")
  func complete() throws {
    let folder = PackageFolder.url("Sources/AssayReports/Templates")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix(".") }
    #expect(names.sorted() == PageTemplates.names)
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      #expect(PageTemplates.text(of: name) == text, "\(name)")
    }
  }
}
