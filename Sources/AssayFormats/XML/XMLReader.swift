import CExpat

/// A streaming XML parser over expat.
///
/// A document type declaration is refused, so no entity is ever declared or expanded and nothing
/// outside the file is opened. UTF-8, UTF-16, Latin-1 and ASCII are decoded.
///
/// A class, because expat calls back into it.
package final class XMLReader {
  package enum Event: Hashable, Sendable {
    /// A start tag, with its 1-based line and the offset of its first byte.
    case start(name: String, attributes: [XMLAttribute], line: Int, offset: Int)
    /// The text between two tags, blanks included.
    case text(String)
    /// The end of an element, with its line and the offset after its last byte.
    case end(line: Int, offset: Int)
  }

  /// The events since the list was last emptied.
  private(set) var events: [Event] = []
  /// The encoding that the document declares; `nil` if it declares none.
  private(set) var encoding: String?
  private let parser: XML_Parser
  private var text: [UInt8] = []
  private var problem: XMLProblem?
  private var depth = 0
  private var silence = 0

  /// The maximum number of open elements.
  static let depthLimit = 64
  /// The maximum size in bytes of a tag, or of a text between two tags.
  static let tokenLimit = 64 << 20
  /// The number of bytes that are parsed at a time.
  private static let chunk = 1 << 20

  /// - Parameter encoding: the encoding of a part of a document; `nil` for a document, which says
  ///   it itself.
  /// - Throws: ``XMLProblem`` if there is not enough memory.
  package init(encoding: String? = nil) throws(XMLProblem) {
    guard let parser = XML_ParserCreate(encoding) else {
      throw XMLProblem(line: 1, text: "there is not enough memory for the XML parser")
    }
    self.parser = parser
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { data, name, attributes in XMLReader.of(data)?.start(name, attributes) },
      { data, _ in XMLReader.of(data)?.end() })
    XML_SetCharacterDataHandler(parser) { data, characters, count in
      XMLReader.of(data)?.add(characters, Int(count))
    }
    XML_SetXmlDeclHandler(parser) { data, _, encoding, _ in
      XMLReader.of(data)?.encoding = encoding.map { String(cString: $0) }
    }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
      XMLReader.of(data)?.refuse(
        "a document type declaration (<!DOCTYPE …>); remove it: declarations and entities are not "
          + "read")
    }
  }

  deinit { XML_ParserFree(parser) }

  /// Parses a part of the document; the events are appended to ``events``.
  ///
  /// - Parameter isLast: whether the document ends here.
  /// - Throws: ``XMLProblem`` if the document is not well-formed or exceeds a limit; the events
  ///   before the problem stay.
  func parse(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(XMLProblem) {
    var start = 0
    repeat {
      let count = min(Self.chunk, bytes.count - start)
      let isEnd = isLast && start + count == bytes.count
      let known = events.count
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
      let status = XML_Parse(
        parser, part.bindMemory(to: CChar.self).baseAddress, Int32(count), isEnd ? 1 : 0)
      if let problem { throw problem }
      guard status == XML_STATUS_OK else {
        let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
        throw XMLProblem(line: line, text: "invalid XML: \(reason ?? "unknown error")")
      }
      silence = events.count == known ? silence + count : 0
      guard silence + text.count <= Self.tokenLimit else {
        throw XMLProblem(
          line: line, text: "a tag or a text of more than \(Self.tokenLimit >> 20) MiB")
      }
      start += count
    } while start < bytes.count
  }

  /// Parses a part of the document; see ``parse(_:isLast:)-(UnsafeRawBufferPointer,_)``.
  package func parse(_ bytes: [UInt8], isLast: Bool) throws(XMLProblem) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(XMLProblem) in try parse(bytes, isLast: isLast) }
    }
    try result.get()
  }

  /// Returns the events and empties the list.
  package func takeEvents() -> [Event] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  private var line: Int { Int(clamping: XML_GetCurrentLineNumber(parser)) }

  private var offset: Int { max(0, Int(clamping: XML_GetCurrentByteIndex(parser))) }

  // MARK: Callbacks

  private static func of(_ data: UnsafeMutableRawPointer?) -> XMLReader? {
    data.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func start(
    _ name: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard problem == nil, let name else { return }
    depth += 1
    guard depth <= Self.depthLimit else {
      return refuse("more than \(Self.depthLimit) nested elements")
    }
    flush()
    var attributes: [XMLAttribute] = []
    if var place = list {
      while let key = place.pointee, let value = place.advanced(by: 1).pointee {
        attributes.append(XMLAttribute(name: String(cString: key), value: String(cString: value)))
        place = place.advanced(by: 2)
      }
    }
    events.append(
      .start(name: String(cString: name), attributes: attributes, line: line, offset: offset))
  }

  private func end() {
    guard problem == nil else { return }
    depth -= 1
    flush()
    let length = Int(XML_GetCurrentByteCount(parser))
    events.append(.end(line: line, offset: offset + length))
  }

  private func add(_ characters: UnsafePointer<CChar>?, _ count: Int) {
    guard problem == nil, let characters, count > 0 else { return }
    characters.withMemoryRebound(to: UInt8.self, capacity: count) {
      text.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
    }
  }

  private func flush() {
    guard !text.isEmpty else { return }
    events.append(.text(String(decoding: text, as: UTF8.self)))
    text.removeAll(keepingCapacity: true)
  }

  private func refuse(_ what: String) {
    guard problem == nil else { return }
    problem = XMLProblem(line: line, text: what)
    XML_StopParser(parser, 0)
  }
}
