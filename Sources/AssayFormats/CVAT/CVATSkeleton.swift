import AssayCore
import Foundation

/// The points of a class of skeletons in CVAT's XML: the names in order, and the edges between them.
///
/// CVAT draws a skeleton as SVG, which is a text in the element `svg` of the class: lines between the
/// numbers of nodes, and a circle for each node with the name of its label.
struct CVATSkeleton: Hashable, Sendable {
  /// An edge between two points, as 0-based places.
  struct Edge: Hashable, Sendable {
    var from: Int
    var to: Int
  }

  var points: [String]
  var edges: [Edge]

  init(points: [String], edges: [Edge] = []) {
    self.points = points
    self.edges = edges
  }

  /// The skeleton of a class with COCO's fields `keypoints` and `skeleton`.
  ///
  /// - Returns: `nil` if the names are not different texts that XML keeps, or the edges are no pairs of
  ///   places.
  init?(of category: Category) {
    guard let names = category.keypointNames,
      names.allSatisfy({ !$0.isEmpty && $0.trimmingBlanks == $0 && XMLText.allowed($0) == $0 }),
      let edges = category.skeletonEdges(of: names.count)
    else { return nil }
    self.init(points: names, edges: edges.map { Edge(from: $0.0, to: $0.1) })
  }

  /// COCO's fields of a class.
  var fields: JSONValue {
    var members: [JSONValue.Member] = [.init("keypoints", .array(points.map { .string($0) }))]
    if !edges.isEmpty {
      members.append(
        .init("skeleton", .array(edges.map { [JSONValue($0.from + 1), JSONValue($0.to + 1)] })))
    }
    return .object(members)
  }

  // MARK: Reading

  /// Reads the edges of a drawing; those between nodes that are no points are passed over.
  mutating func readEdges(_ svg: String) {
    let places = Dictionary(
      points.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var nodes: [Int: Int] = [:]
    for circle in svg.matches(of: /<circle\b[^>]*>/).prefix(points.count * 2) {
      guard let number = Self.value(of: "data-node-id", in: circle.output).flatMap({ Int($0) })
      else { continue }
      if let name = Self.value(of: "data-label-name", in: circle.output).map(Self.unescaped) {
        nodes[number] = places[name]
      } else if points.indices.contains(number - 1) {
        nodes[number] = number - 1
      }
    }
    for line in svg.matches(of: /<line\b[^>]*>/).prefix(10_000) {
      guard let from = Self.value(of: "data-node-from", in: line.output).flatMap({ Int($0) }),
        let to = Self.value(of: "data-node-to", in: line.output).flatMap({ Int($0) }),
        let from = nodes[from], let to = nodes[to], from != to
      else { continue }
      let edge = Edge(from: from, to: to)
      if !edges.contains(edge) { edges.append(edge) }
    }
  }

  private static func value(of name: String, in tag: Substring) -> String? {
    guard let start = tag.firstRange(of: " \(name)=\"")?.upperBound,
      let end = tag[start...].firstIndex(of: "\"")
    else { return nil }
    return String(tag[start..<end])
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }

  // MARK: Writing

  /// The labels of the points.
  func labels(of parent: String) -> String {
    points.map {
      "      <label>\(XMLText.element("name", $0))<type>points</type><attributes></attributes>"
        + "\(XMLText.element("parent", parent))</label>\n"
    }.joined()
  }

  /// The element `svg`: the points on a circle.
  var drawing: String {
    func place(_ index: Int) -> (x: String, y: String) {
      let angle = 2 * Double.pi * Double(index) / Double(points.count)
      func text(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
      return (text(50 + 40 * sin(angle)), text(50 - 40 * cos(angle)))
    }
    let lines = edges.map { edge in
      let (a, b) = (place(edge.from), place(edge.to))
      return
        "<line x1=\"\(a.x)\" y1=\"\(a.y)\" x2=\"\(b.x)\" y2=\"\(b.y)\" data-type=\"edge\" "
        + "data-node-from=\"\(edge.from + 1)\" data-node-to=\"\(edge.to + 1)\"></line>"
    }
    let circles = points.enumerated().map { index, name in
      let center = place(index)
      return
        "<circle r=\"1.5\" cx=\"\(center.x)\" cy=\"\(center.y)\" data-type=\"element node\" "
        + "data-element-id=\"\(index + 1)\" data-node-id=\"\(index + 1)\" "
        + "data-label-name=\"\(XMLText.escaped(name))\"></circle>"
    }
    return XMLText.element("svg", (lines + circles).joined())
  }

  /// The points of an object.
  ///
  /// - Parameter keypoints: x, y and visibility (0, 1, 2) of each point.
  func elements(_ keypoints: [Double]) -> String {
    points.enumerated().map { index, name in
      let (x, y) = (keypoints[3 * index], keypoints[3 * index + 1])
      let visibility = keypoints[3 * index + 2]
      return
        "      <points label=\"\(XMLText.escaped(name))\" source=\"manual\" "
        + "outside=\"\(visibility == 0 ? 1 : 0)\" occluded=\"\(visibility == 1 ? 1 : 0)\" "
        + "points=\"\(ExportNumber.exact(x)),\(ExportNumber.exact(y))\">\n      </points>\n"
    }.joined()
  }
}
