import AssayFormats
import Foundation

/// A page of S3's list of objects (`ListObjectsV2`), or its error.
package struct S3Page: Equatable {
  package struct Object: Equatable {
    var key: String
    var size: Int
    var modified: Int
    var tag: String
  }

  package var objects: [Object] = []
  package var isTruncated = false
  package var token: String?
  /// The code of an error, such as `NoSuchBucket`; `nil` for a page.
  package var code: String?
  package var message = ""

  /// Reads a page with escaped keys (`encoding-type=url`).
  ///
  /// - Throws: a problem whose description is a clause.
  package init(_ bytes: [UInt8]) throws {
    let reader = try XMLReader()
    try reader.parse(bytes, isLast: true)
    var path: [String] = []
    var object = Object(key: "", size: -1, modified: 0, tag: "")
    var text = ""
    var root = ""
    var isEncoded = false
    for event in reader.takeEvents() {
      switch event {
      case .start(let name, _, _, _):
        path.append(name)
        text = ""
        if path.count == 1 { root = name }
        if path.count == 2, name == "Contents" {
          object = Object(key: "", size: -1, modified: 0, tag: "")
        }
      case .text(let part): text += part
      case .end:
        guard let name = path.popLast() else { break }
        defer { text = "" }
        switch (path.count, name) {
        case (2, "Key") where path[1] == "Contents": object.key = text
        case (2, "Size") where path[1] == "Contents":
          guard let size = Int(text), size >= 0 else { throw PageProblem("a size is no number") }
          object.size = size
        case (2, "LastModified") where path[1] == "Contents":
          object.modified = TimeText.seconds(text) ?? 0
        case (2, "ETag") where path[1] == "Contents": object.tag = text
        case (1, "Contents"):
          guard !object.key.isEmpty, object.size >= 0 else {
            throw PageProblem("an object has no key or no size")
          }
          objects.append(object)
        case (1, "EncodingType"): isEncoded = text == "url"
        case (1, "IsTruncated"): isTruncated = text == "true"
        case (1, "NextContinuationToken"): token = text
        case (1, "Code") where root == "Error": code = text
        case (1, "Message") where root == "Error": message = text
        default: break
        }
      }
    }
    if root == "Error" {
      code = code ?? "unknown"
    } else if root != "ListBucketResult" {
      throw PageProblem("it is no list of objects but “\(root.prefix(40))”")
    }
    guard isEncoded else { return }
    for index in objects.indices {
      let plain = objects[index].key.replacing("+", with: " ")
      guard let key = PercentEncoding.decoded(plain) else {
        throw PageProblem("a key is not UTF-8, or has an invalid percent escape")
      }
      objects[index].key = key
    }
  }
}

/// A page that cannot be used.
package struct PageProblem: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
