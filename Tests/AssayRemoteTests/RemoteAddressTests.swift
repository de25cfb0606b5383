import AssayTestSupport
import Foundation
import Testing

@testable import AssayRemote

@Suite("Addresses of sources that are not local")
struct RemoteAddressTests {
  @Test(
    "An address is read and written",
    arguments: [
      ("s3://data", "s3://data", "data", "", true),
      ("s3://data/", "s3://data", "data", "", true),
      ("S3://data/cats/train/", "s3://data/cats/train", "train", "cats/train", true),
      (
        "s3://my.bucket_1/a b/ü?#%.zip", "s3://my.bucket_1/a b/ü?#%.zip", "ü?#%.zip",
        "a b/ü?#%.zip", false
      ),
      ("https://Example.org", "https://example.org/", "example.org", "", true),
      (
        "https://example.org:8443/set/x.tar", "https://example.org:8443/set/x.tar", "x.tar",
        "set/x.tar", false
      ),
      (
        "https://example.org/a%20b/%C3%BC/", "https://example.org/a%20b/%C3%BC/", "ü", "a b/ü", true
      ),
      ("https://example.org/a b/", "https://example.org/a%20b/", "a b", "a b", true),
      ("http://localhost:8000/x/", "http://localhost:8000/x/", "x", "x", true),
      ("http://127.0.0.1/x/", "http://127.0.0.1/x/", "x", "x", true),
      ("http://[::1]:81/x/", "http://[::1]:81/x/", "x", "x", true),
    ])
  func valid(typed: String, text: String, name: String, path: String, isFolder: Bool) throws {
    let address = try RemoteAddress(typed)
    #expect(address.text == text)
    #expect(address.name == name)
    #expect(address.path == path)
    #expect(address.isFolder == isFolder)
    #expect(try RemoteAddress(address.text).text == text)
  }

  @Test(
    "What could leave the source, hold a secret or be read by others is refused, without the secret in the message",
    arguments: [
      "s3://", "s3:///x", "s3://ab/x", "s3://a..b/x", "s3://data/a//b", "s3://data/../x",
      "s3://data/./x", "s3://key:hunter2@data/x",
      "s3://data/a\u{0}b", "s3://data/a\nb", "s3://da ta/x", "https://", "https:///x",
      "https://user:hunter2@example.org/x", "https://example.org/x?token=hunter2",
      "https://example.org/x#hunter2",
      "https://example.org/%2e%2e/x", "https://example.org/a/../b", "https://example.org/%zz",
      "https://example.org/%0a",
      "https://exa mple.org/", "https://example.org:99999/", "https://example.org:x/",
      "http://example.org/x",
      "http://127.example.org/", "http://128.0.0.1/", "http://localhost.example.org/",
      "https://[::1", "https://[g]/",
      "ftp://example.org/", "s3://data/" + String(repeating: "x", count: 5_000),
    ])
  func refused(text: String) {
    do {
      let address = try RemoteAddress(text)
      Issue.record("\(address)")
    } catch {
      #expect(!"\(error)".contains("hunter2"))
      guard case .badAddress = error else { return }
      #expect("\(error)".contains("cannot be read: "))
    }
  }

  @Test("A local path is no address")
  func local() {
    for path in ["s3", "data/x", "/https/x", "s3:/x", "https:x", "-", "x:coco"] {
      #expect(!RemoteAddress.isAddress(path))
    }
    #expect(RemoteAddress.isAddress("HTTPS://x"))
  }

  @Test("A path in an archive is not part of the archive's address")
  func archives() throws {
    let inner = try RemoteAddress("s3://data/sets/all.tar.gz/a/b").parts
    #expect(inner.address.text == "s3://data/sets/all.tar.gz")
    #expect(inner.inner == "a/b")
    let outer = try RemoteAddress("https://example.org/all.zip").parts
    #expect(outer.address.text == "https://example.org/all.zip")
    #expect(outer.inner == "")
    #expect(try RemoteAddress("s3://data/sets/x.tar").parent?.text == "s3://data/sets")
    #expect(try RemoteAddress("s3://data").parent == nil)
  }
}
