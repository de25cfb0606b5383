/// A rectangle as sources state it, in pixels: origin at the top-left corner of the top-left pixel,
/// x to the right, y down, half-open.
///
/// Stored as read: conversion to corners would change the width of most COCO boxes. Sizes can be 0.
package struct Box: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Width times height.
  package var area: Double { width * height }

  /// The smallest box around the points `x0, y0, x1, y1, …` of polygons or lines; `nil` if there are none.
  package init?(around lists: [[Double]]) {
    var (left, top) = (Double.infinity, Double.infinity)
    var (right, bottom) = (-Double.infinity, -Double.infinity)
    for list in lists {
      for place in stride(from: 0, to: list.count - 1, by: 2) {
        (left, right) = (min(left, list[place]), max(right, list[place]))
        (top, bottom) = (min(top, list[place + 1]), max(bottom, list[place + 1]))
      }
    }
    guard left <= right else { return nil }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// As `[x, y, width, height]`.
  package var json: JSONValue { .array([x, y, width, height].map { .number($0) }) }

  /// The center.
  package var center: (x: Double, y: Double) { (x + width / 2, y + height / 2) }
}
