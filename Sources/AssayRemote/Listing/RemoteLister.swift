import AssayCore
import Foundation

/// Lists the files at an address.
package struct RemoteLister: Sendable {
  let session: RemoteSession

  package init(_ session: RemoteSession) { self.session = session }

  /// The maximum size of a page of a list.
  private static let pageLimit = 64 << 20
  /// The maximum number of pages without a file, one after the other.
  private static let emptyPages = 100
  /// The maximum number of folders below an address.
  static let folderLimit = 100_000
  /// The maximum depth of folders.
  private static let depthLimit = 64

  /// The files at an address.
  ///
  /// - Throws: ``RemoteError``; what the session's check throws.
  package func list(_ address: RemoteAddress) throws -> RemoteListing {
    switch address.service {
    case .s3(let bucket): try listS3(address, bucket)
    case .web: try listWeb(address)
    }
  }

  // MARK: S3

  private func listS3(_ address: RemoteAddress, _ bucket: String) throws -> RemoteListing {
    if !address.path.isEmpty, !address.isFolder {
      // A key that others begin with comes before them.
      let page = try page(address, bucket, prefix: address.path, token: nil, count: 1)
      if let object = page.objects.first, object.key == address.path {
        return try single(
          address,
          RemoteEntry(
            path: address.name, size: object.size, modified: object.modified, tag: object.tag))
      }
    }
    var draft = ListingDraft(address)
    let prefix = address.path.isEmpty ? "" : address.path + "/"
    var token: String?
    var last = ""
    var count = 0
    var empty = 0
    repeat {
      let page = try page(address, bucket, prefix: prefix, token: token, count: nil)
      for object in page.objects {
        guard object.key.hasPrefix(prefix),
          last.isEmpty || last.utf8.lexicographicallyPrecedes(object.key.utf8)
        else {
          throw RemoteError.badListing(
            address.text, reason: "the keys do not ascend: “\(object.key)” comes after “\(last)”")
        }
        last = object.key
        count += 1
        let path = String(object.key.dropFirst(prefix.count))
        // Some programs make empty objects for folders.
        guard !path.isEmpty, !(path.hasSuffix("/") && object.size == 0) else { continue }
        try draft.add(
          RemoteEntry(path: path, size: object.size, modified: object.modified, tag: object.tag))
      }
      empty = page.objects.isEmpty ? empty + 1 : 0
      guard empty < Self.emptyPages else {
        throw RemoteError.badListing(
          address.text, reason: "it goes on without an end and without keys")
      }
      session.report("listing \(address.text), \(Counted.text(count, "file", "files"))")
      guard page.isTruncated else { break }
      guard let next = page.token, next != token else {
        throw RemoteError.badListing(
          address.text, reason: "it is cut, and does not say how it goes on")
      }
      token = next
    } while true
    guard count > 0 else { throw RemoteError.nothing(address.text) }
    return draft.finished()
  }

  private func page(
    _ address: RemoteAddress, _ bucket: String, prefix: String, token: String?, count: Int?
  ) throws -> S3Page {
    var query = [("encoding-type", "url"), ("list-type", "2"), ("prefix", prefix)]
    if let count { query.append(("max-keys", "\(count)")) }
    if let token { query.append(("continuation-token", token)) }
    // After one answer that names another region, that region is asked.
    for attempt in 0..<2 {
      let answer = try session.small(address, limit: Self.pageLimit) { target in
        try session.request(bucket: bucket, key: "", query: query, target: target)
      }
      let found = Result { try S3Page(answer.body) }
      let status = answer.result.status
      if let region = answer.result.headers["x-amz-bucket-region"], attempt == 0, status != 200,
        session.move(to: region)
      {
        continue
      }
      guard status == 200, case .success(let page) = found, page.code == nil else {
        let page = try? found.get()
        if status == 200, case .failure(let problem) = found {
          throw RemoteError.badListing(address.text, reason: "\(problem)")
        }
        throw session.refusal(address, status, page?.code, page?.message ?? "")
      }
      return page
    }
    throw RemoteError.failed(address.text, reason: "its region is not clear; set AWS_REGION")
  }

  private func single(_ address: RemoteAddress, _ entry: RemoteEntry) throws -> RemoteListing {
    if let fault = ListingDraft.fault(of: entry.path) {
      throw RemoteError.badListing(address.text, reason: fault)
    }
    guard entry.hasStamp else { throw RemoteError.unstamped(address.text) }
    return RemoteListing(address: address, isSingleFile: true, entries: [entry])
  }

  // MARK: Web

  private func listWeb(_ address: RemoteAddress) throws -> RemoteListing {
    if !address.isFolder {
      let head = try heads([address])[0]
      guard head.status == 200 else {
        throw session.refusal(address, head.status, nil, head.reason)
      }
      if head.url.hasSuffix("/"), head.url != address.text {
        return try listWeb(
          RemoteAddress(service: address.service, path: address.path, isFolder: true))
      }
      if head.headers["content-type"]?.lowercased().hasPrefix("text/html") == true {
        throw RemoteError.noListing(
          address.text, reason: "it is a web page; the address of a folder ends with “/”")
      }
      return try single(address, try entry(address, address.name, head))
    }
    var draft = ListingDraft(address)
    var level = [address]
    var files: [(path: String, address: RemoteAddress)] = []
    var folders = 1
    for depth in 0..<Self.depthLimit where !level.isEmpty {
      var next: [RemoteAddress] = []
      for start in stride(from: 0, to: level.count, by: 64) {
        let part = Array(level[start..<min(start + 64, level.count)])
        for (folder, page) in zip(part, try pages(part, isFirst: depth == 0)) {
          let inner = folder.path.dropFirst(address.path.isEmpty ? 0 : address.path.count + 1)
          let prefix = inner.isEmpty ? "" : inner + "/"
          files += page.files.map { (prefix + $0, folder.appending($0)) }
          next += page.folders.filter { !$0.hasPrefix(".") }.map {
            folder.appending($0, isFolder: true)
          }
        }
        guard files.count <= ListingDraft.fileLimit else {
          throw RemoteError.tooMany(address.text, limit: ListingDraft.fileLimit)
        }
        session.report("listing \(address.text), \(Counted.text(files.count, "file", "files"))")
      }
      folders += next.count
      guard folders <= Self.folderLimit else {
        throw RemoteError.badListing(
          address.text, reason: "it has more than \(Self.folderLimit) folders")
      }
      level = next
    }
    guard level.isEmpty else {
      throw RemoteError.badListing(
        address.text, reason: "its folders are nested deeper than \(Self.depthLimit)")
    }
    guard !files.isEmpty else { throw RemoteError.nothing(address.text) }
    for start in stride(from: 0, to: files.count, by: 256) {
      let part = files[start..<min(start + 256, files.count)]
      for (file, head) in zip(part, try heads(part.map(\.address))) {
        guard head.status == 200 else {
          guard [401, 403, 404, 410].contains(head.status) else {
            throw session.refusal(file.address, head.status, nil, head.reason)
          }
          draft.note(file.path, .unreadableImage, "the server answered \(head.status)")
          continue
        }
        try draft.add(try entry(file.address, file.path, head))
      }
      session.report("asking for sizes, \(start + part.count) of \(files.count) files")
    }
    return draft.finished()
  }

  private func entry(
    _ address: RemoteAddress, _ path: String, _ head: TransferResult
  ) throws(RemoteError) -> RemoteEntry {
    guard let size = head.headers["content-length"].flatMap({ Int($0) }), size >= 0 else {
      throw .badListing(address.text, reason: "the server does not state the size of the file")
    }
    let entry = RemoteEntry(
      path: path, size: size,
      modified: head.headers["last-modified"].flatMap { TimeText.seconds($0) } ?? 0,
      tag: head.headers["etag"] ?? "")
    guard entry.hasStamp else { throw .unstamped(address.text) }
    return entry
  }

  private func heads(_ addresses: [RemoteAddress]) throws -> [TransferResult] {
    try session.attempts(addresses.count, limit: 1 << 20, certificates: nil) { index, target in
      var transfer = session.request(web: addresses[index], target: target)
      transfer.isHead = true
      return transfer
    }
  }

  private func pages(_ folders: [RemoteAddress], isFirst: Bool) throws -> [WebPage] {
    let folder = try session.cache.temporaryFolder()
    let targets = folders.indices.map { _ in session.cache.temporaryFile(in: folder) }
    defer { for target in targets { unlink(target) } }
    let results = try session.attempts(
      folders.count, limit: Self.pageLimit, certificates: nil, targets: targets
    ) { index, target in session.request(web: folders[index], target: target) }
    return try zip(zip(folders, targets), results).map { place, result in
      let (address, target) = place
      guard result.status == 200, result.code == 0 else {
        throw session.refusal(address, result.status, nil, result.reason)
      }
      do {
        return try WebPage(
          FileBytes.read(target, limit: Self.pageLimit) ?? [],
          path: address.path.isEmpty ? "/" : "/\(address.path)/")
      } catch {
        throw RemoteError.noListing(address.text, reason: "\(error)")
      }
    }
  }
}
