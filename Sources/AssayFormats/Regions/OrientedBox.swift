import Foundation

/// A box that is rotated about its center.
enum OrientedBox {
  /// The corners `x0, y0, …`: those at the top left, top right, bottom right and bottom left before
  /// the rotation.
  ///
  /// - Parameters:
  ///   - x: the center.
  ///   - y: the center.
  ///   - radians: the rotation, clockwise on the screen.
  static func corners(
    x: Double, y: Double, width: Double, height: Double, radians: Double
  ) -> [Double] {
    let (sine, cosine) = (sin(radians), cos(radians))
    let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    return corners.flatMap { corner -> [Double] in
      let (dx, dy) = (corner.0 * width, corner.1 * height)
      return [x + dx * cosine - dy * sine, y + dx * sine + dy * cosine]
    }
  }
}
