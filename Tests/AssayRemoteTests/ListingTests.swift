import Foundation
import Testing

@testable import AssayRemote

@Suite("Lists of servers")
struct ListingTests {
  private func page(_ text: String) throws -> S3Page { try S3Page(Array(text.utf8)) }

  @Test("A page of S3 is read")
  func s3() throws {
    let page = try page(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>data</Name><EncodingType>url</EncodingType>
      <IsTruncated>true</IsTruncated><NextContinuationToken>1/=</NextContinuationToken>
      <Contents><Key>a+b/%C3%BC%2B.png</Key><LastModified>2026-11-28T14:35:21.000Z</LastModified>
      <ETag>&quot;9b2c&quot;</ETag><Size>17</Size><Owner><ID>Key</ID></Owner></Contents></ListBucketResult>
      """)
    #expect(
      page.objects == [.init(key: "a b/ü+.png", size: 17, modified: 1_795_876_521, tag: "\"9b2c\"")]
    )
    #expect(page.isTruncated)
    #expect(page.token == "1/=")
    let error = try self.page("<Error><Code>NoSuchBucket</Code><Message>no</Message></Error>")
    #expect(error.code == "NoSuchBucket")
  }

  @Test(
    "Another document, and a page that breaks its own rules, is refused",
    arguments: [
      "", "<html></html>", "<ListBucketResult>", "{}",
      "<ListBucketResult><Contents></Contents></ListBucketResult>",
      "<ListBucketResult><Contents><Key>a</Key><Size>-1</Size></Contents></ListBucketResult>",
      "<ListBucketResult><Contents><Key>a</Key><Size>x</Size></Contents></ListBucketResult>",
      "<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>%FF</Key><Size>1</Size></Contents></ListBucketResult>",
      "<!DOCTYPE x [<!ENTITY a \"b\">]><ListBucketResult/>",
    ])
  func damaged(text: String) {
    #expect(throws: (any Error).self) { try page(text) }
  }

  @Test("Lists of Apache, nginx and Python are read; links that lead elsewhere are passed over")
  func web() throws {
    let apache = """
      <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><html><head><title>Index of /data/set</title></head><body>
      <a href="?C=N;O=D">Name</a> <a href="/data/">Parent Directory</a> <A  HREF='cats/'>cats/</A>
      <a href="a%20b.png">a b.png</a><a href="x&amp;y.png">x</a><a href="/data/set/abs.png">abs</a>
      <a href="../../evil.png">e</a><a href="https://evil.example.org/e.png">e</a><a href="/etc/passwd">e</a>
      <a href="..%2f..%2fevil.png">e</a><a href="sub/deep.png">e</a><a href="a%20b.png">twice</a><a href="mailto:x@y">e</a>
      <a href="./c:d.png">c</a><a name="x">no link</a><a href="">empty</a><a href=".">here</a></body></html>
      """
    let page = try WebPage(Array(apache.utf8), path: "/data/set/")
    #expect(page.files == ["a b.png", "x&y.png", "abs.png", "c:d.png"])
    #expect(page.folders == ["cats"])
    for title in ["Directory listing for /x/", "Index of /x/"] {
      let other =
        "<html><head><title>\(title)</title></head><h1>\(title)</h1><a href=\"1.png\">1.png</a></html>"
      #expect(try WebPage(Array(other.utf8), path: "/x/").files == ["1.png"])
    }
  }

  @Test(
    "Other pages are no lists",
    arguments: ["", "{}", "<html><title>Welcome</title><a href=\"1.png\">1</a></html>", "\u{FF}"])
  func otherPages(text: String) {
    #expect(throws: PageProblem.self) { try WebPage(Array(text.utf8), path: "/") }
    #expect(throws: PageProblem.self) { try WebPage([0xFF, 0xFE, 0x00], path: "/") }
  }

  private let address = RemoteAddress(service: .s3(bucket: "data"), path: "set", isFolder: true)

  @Test("Names that leave the folder, or are no names of files, are issues")
  func names() throws {
    var draft = ListingDraft(address)
    let bad = [
      "/etc/passwd", "../x", "a/../../x", "a//b", "./x", "a/", "a\u{0}b", "a\nb", "a\tb",
      String(repeating: "x", count: 1_025), String(repeating: "x/", count: 70) + "y",
    ]
    for path in bad + [
      "A.png", "a.png", "cats/é.png", "cats/e\u{301}.png", ".hidden/x", "x/.y", "z..png",
    ] {
      try draft.add(RemoteEntry(path: path, size: 1, modified: 1, tag: ""))
    }
    let listing = draft.finished()
    #expect(listing.entries.map(\.path) == ["A.png", "a.png", "cats/e\u{301}.png", "z..png"])
    #expect(listing.issues.count == bad.count + 1)
    #expect(listing.issues.count { $0.kind == .outsideRoot } == bad.count)
    #expect(listing.index(of: "cats/\u{E9}.png") == 2)
    #expect(listing.issues.allSatisfy { !$0.location.file.contains("\n") })
  }

  @Test("A list has a limit")
  func limit() throws {
    var draft = ListingDraft(address, limit: 2)
    for name in ["a", "b"] { try draft.add(RemoteEntry(path: name, size: 1, modified: 1, tag: "")) }
    #expect(throws: RemoteError.tooMany("s3://data/set", limit: 2)) {
      try draft.add(RemoteEntry(path: "c", size: 1, modified: 1, tag: ""))
    }
  }

  @Test(
    "A list is written and read back; the hash covers names, sizes and versions, not the time of the same version"
  )
  func text() throws {
    let entries = [
      RemoteEntry(path: "a b.png", size: 3, modified: 7, tag: "\"x\""),
      RemoteEntry(path: "ü\u{2028}.png", size: 0, modified: 9, tag: ""),
    ]
    let listing = RemoteListing(address: address, isSingleFile: false, entries: entries)
    let read = try #require(RemoteListing(listing.text, address: address))
    #expect(read.entries == entries)
    #expect(read.hash == listing.hash)
    #expect(RemoteListing(String(listing.text.dropLast(9)), address: address) == nil)
    #expect(RemoteListing("", address: address) == nil)
    func hash(_ change: (inout [RemoteEntry]) -> Void) -> String {
      var changed = entries
      change(&changed)
      return RemoteListing(address: address, isSingleFile: false, entries: changed).hash
    }
    #expect(hash { $0[0].modified = 8 } == listing.hash)
    #expect(hash { $0[0].tag = "\"y\"" } != listing.hash)
    #expect(hash { $0[1].modified = 8 } != listing.hash)
    #expect(hash { $0[0].size = 4 } != listing.hash)
    #expect(hash { $0.removeLast() } != listing.hash)
  }

  @Test("Escapes are those of signatures")
  func escapes() {
    #expect(PercentEncoding.encodedPath("a b/ü+&*~-_.") == "a%20b/%C3%BC%2B%26%2A~-_.")
    #expect(PercentEncoding.decoded("a%20b%2f") == "a b/")
    for text in ["%", "%2", "%zz", "%FF"] { #expect(PercentEncoding.decoded(text) == nil) }
  }
}
