import AssayCore
import AssayStore
import AssayWorkflows

/// The reason why a server cannot change tags.
struct TagRefusal: Error {
  var reason: String
}

/// Changes of tags and custom fields.
extension BrowseService {
  /// The answer to a change of a tag or a field.
  struct TagReply {
    /// The number of entries that the request wrote; 0 for a repeated one.
    var saved: Int
    var json: JSONValue
  }

  static func tags(
    _ catalog: Catalog, _ ledger: Ledger?, _ limits: TagService.Limits
  ) -> Result<TagService, TagRefusal> {
    guard let ledger else {
      return .failure(TagRefusal(reason: "this server has no ledger, where tags are kept"))
    }
    do {
      return .success(try TagService(catalog: catalog, ledger: ledger, limits: limits))
    } catch {
      return .failure(TagRefusal(reason: "\(error)"))
    }
  }

  /// The limits of a request for the page, or the reason why tags cannot be changed.
  var tagging: JSONValue {
    switch tags {
    case .success(let service):
      [
        "problem": .null, "listed": JSONValue(service.limits.listed),
        "selected": JSONValue(service.limits.selected),
        "objects": JSONValue(service.limits.objects),
      ]
    case .failure(let refusal): ["problem": .string(refusal.reason)]
    }
  }

  /// Changes a tag or a custom field.
  func tag(_ body: TagBody, by session: ReviewSession) throws -> TagReply {
    let service: TagService
    switch tags {
    case .success(let known): service = known
    case .failure(let refusal):
      throw RequestRefusal.unsaved(code: "notWritable", refusal.reason)
    }
    guard body.ledger == service.ledger.uuid else {
      throw RequestRefusal.conflict(
        code: "otherLedger",
        "this change was made for another ledger and was not saved; open that ledger's link")
    }
    guard body.request.author == session.author else {
      throw RequestRefusal.conflict(
        code: "otherAuthor",
        """
        this change was made by \(body.request.author), and you are signed in as \(session.author); sign in as \
        \(body.request.author) to make it
        """)
    }
    let summary = try refusing { try service.edit(body.request) }
    let counts: JSONValue = [
      "removed": .bool(summary.edit.isRemoval),
      "samples": JSONValue(summary.samples),
      "objects": summary.objects.map { JSONValue($0) } ?? .null,
      "changed": JSONValue(summary.changed),
      "already": JSONValue(summary.already),
      "unreadable": .array(summary.unreadable.prefix(3).map { .string($0) }),
      "unreadable_samples": JSONValue(summary.unreadable.count),
      "repeat": .bool(summary.isRepeat),
    ]
    return TagReply(
      saved: summary.isRepeat ? 0 : summary.changed,
      json: .object(summary.edit.members + (counts.members ?? [])))
  }

  private func refusing<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try asking(body)
    } catch let error as TagNameError {
      throw RequestRefusal.badRequest(code: "badTag", "\(error)")
    } catch let error as CustomFieldError {
      throw RequestRefusal.badRequest(code: "badField", "\(error)")
    } catch let error as TagServiceError {
      let text = "\(error)"
      switch error {
      case .catalogNotWritable: throw RequestRefusal.unsaved(code: "notWritable", text)
      case .unknownSample: throw RequestRefusal.notFound(text)
      case .countChanged: throw RequestRefusal.conflict(code: "countChanged", text)
      case .tooMany, .tooManyObjects: throw RequestRefusal.badRequest(code: "tooManySamples", text)
      case .uuidTaken: throw RequestRefusal.conflict(code: "uuidTaken", text)
      }
    } catch let error as CorrectionError {
      throw RequestRefusal(error)
    } catch let error as LedgerError {
      throw RequestRefusal(CorrectionError.ledger(error))
    }
  }
}

/// The body of a request that changes a tag or a custom field.
struct TagBody {
  /// The maximum size in bytes, and the maximum number of values: enough for the ids of a request.
  static let limit = 256 << 10
  static let valueLimit = 10_100

  /// The uuid of the ledger that the change is for.
  var ledger: String
  var request: TagService.Request

  /// - Parameter body: the JSON object in the body.
  init(_ body: JSONValue) throws(RequestRefusal) {
    let fields = SaveFields(body)
    ledger = try fields.name("ledger", isNeeded: true) ?? ""
    let edit: SampleEdit
    if let name = body["field"] {
      guard let name = name.text, let value = body["value"], body["tag"] == nil,
        body["remove"] == nil
      else {
        throw fields.wrong("field", "field must be a text, with value (null removes it) and no tag")
      }
      edit = .field(FieldEdit(name: name, value: value))
    } else {
      guard let tag = body["tag"]?.text else { throw fields.wrong("tag", "tag must be a text") }
      edit = .tag(TagEdit(tag: tag, isAddition: !(try fields.flag("remove"))))
    }
    guard let view = body["view"]?.text, !view.isEmpty else {
      throw fields.wrong("view", "view must name a dataset or a view")
    }
    request = TagService.Request(
      uuid: try fields.uuid("uuid"), edit: edit,
      author: try fields.name("author", isNeeded: true) ?? "",
      subject: try Self.subject(body, fields, view: view), objects: try Self.objects(body, fields))
  }

  /// The condition on objects, if they are changed in place of the samples; an empty one is that of all.
  private static func objects(
    _ body: JSONValue, _ fields: SaveFields
  ) throws(RequestRefusal) -> String? {
    guard let objects = body["objects"] else { return nil }
    guard let condition = objects.text else {
      throw fields.wrong("objects", "objects must be a condition on objects")
    }
    return condition
  }

  private static func subject(
    _ body: JSONValue, _ fields: SaveFields, view: String
  ) throws(RequestRefusal) -> TagService.Subject {
    guard let listed = body["samples"] else {
      guard let expression = body["where"]?.text, let count = try fields.count("count") else {
        throw fields.wrong(
          "samples", "expected samples (ids), or where (an expression) with count (of its samples)")
      }
      return .query(
        SampleBrowser.Search(
          view: view, expression: expression, isCorrected: try fields.flag("corrected")),
        count: count)
    }
    var ids: [Int64] = []
    for element in listed.elements ?? [] {
      guard case .integer(let id) = element, id > 0 else {
        throw fields.wrong("samples", "samples must be ids of samples")
      }
      ids.append(id)
    }
    guard !ids.isEmpty, body["where"] == nil else {
      throw fields.wrong(
        "samples", "samples must be ids of samples, at least one, without an expression")
    }
    return .samples(ids, view: view)
  }
}
