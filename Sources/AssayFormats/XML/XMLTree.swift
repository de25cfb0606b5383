/// Builds elements from the events of an ``XMLReader``.
struct XMLTree {
  /// The elements that are open, outermost first.
  private var open: [XMLElement] = []
  private var count = 0
  /// The depth of the elements that are returned: 0 for the root, 1 for its children.
  private let depth: Int
  private let limit: Int

  /// The name of the root; `nil` until its start tag.
  private(set) var rootName: String?

  /// - Parameters:
  ///   - depth: 0 to build the root, 1 to build its children one at a time.
  ///   - limit: the maximum number of elements that are built at a time.
  init(depth: Int = 0, limit: Int) {
    self.depth = depth
    self.limit = limit
  }

  /// Adds an event, and returns an element that it completes.
  ///
  /// - Throws: ``XMLProblem`` beyond the limit.
  mutating func add(_ event: XMLReader.Event) throws(XMLProblem) -> XMLElement? {
    switch event {
    case .start(let name, let attributes, let line, _):
      rootName = rootName ?? name
      count += 1
      guard count <= limit else {
        throw XMLProblem(line: line, text: "more than \(limit) elements")
      }
      open.append(XMLElement(name: name, attributes: attributes, line: line))
    case .text(let text):
      guard open.count > depth, let last = open.indices.last else { return nil }
      open[last].text += text
    case .end:
      guard let element = open.popLast() else { return nil }
      if open.count == depth {
        count = open.count
        return element
      }
      if open.count > depth, let last = open.indices.last { open[last].children.append(element) }
    }
    return nil
  }

  /// The root element of a document.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of elements.
  ///   - encoding: the encoding of a part of a document; `nil` for a document.
  /// - Throws: ``XMLProblem``.
  static func read(
    _ bytes: [UInt8], limit: Int, encoding: String? = nil
  ) throws(XMLProblem) -> XMLElement {
    let reader = try XMLReader(encoding: encoding)
    var tree = XMLTree(limit: limit)
    var root: XMLElement?
    // A bomb of small elements is stopped by the limit before it is parsed completely.
    let part = 1 << 20
    var start = 0
    repeat {
      let end = min(bytes.count, start + part)
      try reader.parse(Array(bytes[start..<end]), isLast: end == bytes.count)
      for event in reader.takeEvents() { root = try tree.add(event) ?? root }
      start = end
    } while start < bytes.count
    guard let root else { throw XMLProblem(line: 1, text: "there is no element") }
    return root
  }
}
