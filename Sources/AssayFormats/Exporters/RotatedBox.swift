import AssayCore
import Foundation

/// A polygon that is a rotated box: the box before the rotation, and the rotation about its center.
struct RotatedBox: Hashable, Sendable {
  var box: Box
  /// Clockwise on the screen.
  var degrees: Double
  /// The corners of the polygon: x0, y0, x1, y1, …
  private var corners: [Double]
  /// True if an attribute states the degrees, which are then written as they are.
  private var isStated: Bool

  /// The attribute with the degrees, as CVAT's importer keeps it.
  static let attribute = "rotation"
  /// The maximum distance of a corner from that of the box, in pixels.
  private static let tolerance = 5e-7

  /// - Parameter object: a polygon of four corners, from the one that is at the top left before the rotation,
  ///   clockwise. An attribute ``attribute`` states the degrees.
  /// - Returns: `nil` for any other object, and for a box that is not rotated.
  init?(_ object: ExportObject) {
    guard case .polygons(let polygons) = object.shape, polygons.count == 1, polygons[0].count == 8
    else { return nil }
    let corners = polygons[0]
    guard corners.allSatisfy({ $0.isFinite && abs($0) <= 1e7 }) else { return nil }
    let (dx, dy) = (corners[2] - corners[0], corners[3] - corners[1])
    let width = (dx * dx + dy * dy).squareRoot()
    let (ex, ey) = (corners[4] - corners[2], corners[5] - corners[3])
    let height = (ex * ex + ey * ey).squareRoot()
    guard width > 0, height > 0 else { return nil }
    let x = (corners[0] + corners[2] + corners[4] + corners[6]) / 4
    let y = (corners[1] + corners[3] + corners[5] + corners[7]) / 4
    if let stated = object.attributes.first(where: { $0.name == Self.attribute }) {
      guard let value = stated.value.double, value.isFinite, abs(value) <= 1e7 else { return nil }
      degrees = value
    } else {
      let angle = atan2(dy, dx) * 180 / Double.pi
      degrees = angle < 0 ? angle + 360 : angle
    }
    guard degrees != 0 else { return nil }
    box = Box(x: x - width / 2, y: y - height / 2, width: width, height: height)
    let own = OrientedBox.corners(
      x: x, y: y, width: width, height: height, radians: degrees * Double.pi / 180)
    guard zip(own, corners).allSatisfy({ abs($0 - $1) <= Self.tolerance }) else { return nil }
    self.corners = corners
    isStated = object.attributes.contains { $0.name == Self.attribute }
  }

  /// The numbers of the box as texts, with the fewest decimals from which a reader computes the same
  /// corners; if none does, with the fewest whose corners differ by at most 0.000000001 pixels.
  var written: (edges: [String], degrees: String) {
    let edges = [box.x, box.y, box.x + box.width, box.y + box.height]
    let tries: [(edges: [Double], degrees: Double)] = ExportNumber.decimals.map { decimals in
      (
        edges.map { ExportNumber.roundedTo(decimals, $0) },
        isStated ? degrees : ExportNumber.roundedTo(decimals, degrees)
      )
    }
    let errors = tries.map { error(edges: $0.edges, degrees: $0.degrees) }
    let place = errors.firstIndex(of: 0) ?? errors.firstIndex { $0 <= 1e-9 }
    let best = place.map { tries[$0] } ?? (edges: edges, degrees: degrees)
    return (best.edges.map(ExportNumber.exact), ExportNumber.exact(best.degrees))
  }

  /// The largest difference of the corners that a reader computes from the numbers.
  private func error(edges: [Double], degrees: Double) -> Double {
    let read = Box(
      x: edges[0], y: edges[1], width: edges[2] - edges[0], height: edges[3] - edges[1])
    let found = OrientedBox.corners(
      x: read.center.x, y: read.center.y, width: read.width, height: read.height,
      radians: degrees * Double.pi / 180)
    return zip(found, corners).map { abs($0 - $1) }.max() ?? 0
  }
}
