import AssayTestSupport
import Foundation
import Testing

@testable import AssayRemote

@Suite("Keys and signatures for S3")
struct S3AccountTests {
  private func account(_ environment: [String: String], _ files: [String: String] = [:]) throws
    -> S3Account
  {
    try S3Account(environment: environment.merging(["HOME": "/h"]) { first, _ in first }) {
      files[$0].map { Array($0.utf8) }
    }
  }

  private let credentials = """
    # keys
    [default]
    aws_access_key_id = A1
    aws_secret_access_key=S1

    [ work ]
    aws_access_key_id = A2
    aws_secret_access_key = S2/+=
    aws_session_token = T2
    """

  private let config = """
    [default]
    region = eu-west-1
    s3 =
        addressing_style = path
    [profile work]
    region = eu-central-1
    endpoint_url = https://minio.example.org:9000/
    [profile sign-on]
    sso_session = corporation
    [work]
    region = wrong-1
    """

  private var files: [String: String] {
    ["/h/.aws/credentials": credentials, "/h/.aws/config": config]
  }

  @Test("The environment is first, then the profile")
  func order() throws {
    let own = try account(
      [
        "AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "S", "AWS_SESSION_TOKEN": "T",
        "AWS_REGION": "r-1",
      ], files)
    #expect(own.keys?.identifier == "A" && own.keys?.secret == "S" && own.keys?.token == "T")
    #expect(own.region == "r-1")
    let first = try account([:], files)
    #expect(first.keys?.identifier == "A1" && first.keys?.token == nil)
    #expect(first.region == "eu-west-1")
    let work = try account(["AWS_PROFILE": "work"], files)
    #expect(work.keys?.secret == "S2/+=" && work.keys?.token == "T2")
    #expect(work.region == "eu-central-1")
    #expect(work.endpoint == "https://minio.example.org:9000")
    // Settings in the file of keys come first, as for botocore.
    let both = try account(
      ["AWS_PROFILE": "work"],
      files.merging([
        "/h/.aws/credentials": credentials
          + "\nendpoint_url = http://127.0.0.1:9001\nregion = x-1\n"
      ]) { $1 })
    #expect(both.endpoint == "http://127.0.0.1:9001" && both.region == "x-1")
    let moved = try account(
      [
        "AWS_SHARED_CREDENTIALS_FILE": "/c", "AWS_CONFIG_FILE": "/d",
        "AWS_ENDPOINT_URL": "http://127.0.0.1:9000",
      ],
      ["/c": credentials])
    #expect(moved.keys?.identifier == "A1")
    #expect(moved.region == "us-east-1")
    #expect(moved.endpoint == "http://127.0.0.1:9000")
  }

  @Test(
    "Without keys requests are not signed; a profile that another program must sign in for is named"
  )
  func none() throws {
    let none = try account([:])
    #expect(none.keys == nil)
    #expect(none.provenance.contains("aws configure"))
    #expect(throws: RemoteError.foreignProfile("sign-on", reason: "it has sso_session")) {
      try account(["AWS_PROFILE": "sign-on"], files)
    }
    #expect(throws: RemoteError.self) { try account(["AWS_PROFILE": "missing"], files) }
    #expect(throws: RemoteError.self) { try account(["AWS_ENDPOINT_URL": "https://u:p@x/"], files) }
    #expect(throws: RemoteError.self) { try account(["AWS_REGION": "a/b"], files) }
  }

  @Test("No message has a key")
  func messages() throws {
    for environment in [
      [:], ["AWS_PROFILE": "work"], ["AWS_ACCESS_KEY_ID": "A2", "AWS_SECRET_ACCESS_KEY": "S2/+="],
    ] {
      let text = try account(environment, files).provenance
      for secret in ["S1", "S2", "T2", "A2"] { #expect(!text.contains(secret)) }
    }
  }

  @Test("A bucket is part of the server's name if its certificate covers that")
  func servers() throws {
    let amazon = try account([:])
    #expect(
      amazon.bucketURL("data", region: "eu-west-1") == "https://data.s3.eu-west-1.amazonaws.com")
    #expect(
      amazon.bucketURL("a.b", region: "cn-north-1") == "https://s3.cn-north-1.amazonaws.com.cn/a.b")
    let own = try account(["AWS_ENDPOINT_URL_S3": "https://x:1/base/"])
    #expect(own.bucketURL("data", region: "r") == "https://x:1/base/data")
  }

  private struct Golden: Decodable {
    struct Case: Decodable {
      var host: String
      var path: String
      var query: [[String]]
      var token: String?
      var region: String
      var authorization: String
    }

    var seconds: Int
    var identifier: String
    var secret: String
    var cases: [Case]
  }

  @Test("Requests are signed as botocore signs them")
  func signatures() throws {
    let golden = try JSONDecoder().decode(
      Golden.self, from: Data(contentsOf: PackageFolder.fixture("remote/signatures.json")))
    #expect(golden.cases.count == 4)
    for one in golden.cases {
      let keys = S3Account.Keys(
        identifier: golden.identifier, secret: golden.secret, token: one.token)
      let headers = RequestSignature(keys: keys, region: one.region).headers(
        method: "GET", host: one.host, path: one.path,
        query: one.query.map { (name: $0[0], value: $0[1]) }, seconds: golden.seconds)
      #expect(headers.first { $0.name == "Authorization" }?.value == one.authorization)
      #expect(headers.first { $0.name == "x-amz-date" }?.value == "20261128T143521Z")
    }
  }

  @Test("Times of servers are read without a locale")
  func times() {
    #expect(TimeText.seconds("2026-11-28T14:35:21.000Z") == 1_795_876_521)
    #expect(TimeText.seconds("Sat, 28 Nov 2026 14:35:21 GMT") == 1_795_876_521)
    for text in ["", "x", "2026-13-28T14:35:21Z", "Sat, 28 Foo 2026 14:35:21 GMT", "1 2 3 4 5 GMT"]
    {
      #expect(TimeText.seconds(text) == nil)
    }
  }
}
