import AssayCore
import Foundation

/// A polygon that is a rotated box: the box before the rotation, and the rotation about its center.
struct RotatedBox: Hashable, Sendable {
  var box: Box
  /// Clockwise on the screen.
  var degrees: Double

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
  }
}
