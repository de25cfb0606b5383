import AssayCore
import Testing

@Suite("The folder of a path")
struct ParentFolderTests {
  @Test(
    "Names alone are in no folder, slashes at the end do not count",
    arguments: [
      ("", ""), ("p", ""), (".", ""), ("ä", ""), ("name", ""), ("a/", ""), ("/", "/"), ("//", "/"),
      ("/a", "/"), ("/a/", "/"), ("a/b", "a"), ("a//b", "a"), ("a/b/", "a"), ("/a/b//", "/a"),
      ("a/b/c", "a/b"), ("./x", "."),
    ])
  func folder(path: String, folder: String) {
    #expect(path.parentFolder == folder)
  }
}
