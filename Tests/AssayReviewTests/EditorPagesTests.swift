import AssayTestSupport
import Foundation
import Testing

@testable import AssayReview

/// The page's files inside the program.
struct EditorPagesTests {
  @Test("Every file of the folder is in the list of what is served")
  func complete() throws {
    let folder = PackageFolder.url("Sources/AssayReview/Pages")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0 != "page.html" && !$0.hasPrefix(".") }
    #expect(names.sorted() == EditorFiles.names)
    for name in EditorFiles.names {
      #expect(EditorFile.type(of: name) != "application/octet-stream", "\(name) has no type")
    }
  }

  @Test("The page has no script and no style of its own, and nothing from elsewhere")
  func inline() throws {
    let page = String(decoding: EditorFiles.page.bytes, as: UTF8.self)
    #expect(page.lowercased().hasPrefix("<!doctype html>"))
    for word in ["<style", "style=", "javascript:", "http://", "https://", " onclick", " onload"] {
      #expect(!page.lowercased().contains(word), "\(word)")
    }
    #expect(!page.contains(#/<script(?![^>]*\bsrc=)/#))
  }
}
