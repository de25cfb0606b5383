import AssayCore

/// An object on its way through a pipeline.
struct PipelineObject {
  var detection: Detection
  /// The attributes that steps have written, in their order.
  var attributes: [JSONValue.Member] = []
  /// The reason why it does not qualify for further steps; `nil` as long as it does.
  var reason: String?

  init(_ detection: Detection) { self.detection = detection }

  /// The detection with the attributes as JSON.
  var stored: Detection {
    var members: [JSONValue.Member] = [.init("qualifies", .bool(reason == nil))]
    if let reason { members.append(.init("reason", .string(reason))) }
    var stored = detection
    stored.attributes = JSONValue.object(members + attributes).text()
    return stored
  }
}
