import AssayCore

/// The classes of BDD100K's bitmasks, by their value from 1.
///
/// Source: `configs/ins_seg.toml`, `configs/seg_track.toml` and `label/label.py` of the package bdd100k 1.0.1.
enum BDD100KBitmaskClasses: Hashable, Sendable {
  /// Instance segmentation and segmentation tracking.
  case instances
  case panoptic

  /// The largest value.
  var last: Int { categories.count }

  /// The class of a value; `nil` for 0, which is background, and for values beyond the last.
  func category(of value: Int) -> Category? {
    (1...last).contains(value) ? categories[value - 1] : nil
  }

  /// The classes in the order of their values.
  var categories: [Category] {
    switch self {
    case .instances: Self.instanceClasses
    case .panoptic: Self.panopticClasses
    }
  }

  private static let instanceClasses = make([
    ("human", true, ["pedestrian", "rider"]), ("vehicle", true, ["car", "truck", "bus", "train"]),
    ("bike", true, ["motorcycle", "bicycle"]),
  ])

  private static let panopticClasses = make([
    ("void", false, ["dynamic", "ego vehicle", "ground", "static"]),
    ("flat", false, ["parking", "rail track", "road", "sidewalk"]),
    (
      "construction", false,
      ["bridge", "building", "fence", "garage", "guard rail", "tunnel", "wall"]
    ),
    (
      "object", false,
      [
        "banner", "billboard", "lane divider", "parking sign", "pole", "polegroup", "street light",
        "traffic cone", "traffic device", "traffic light", "traffic sign", "traffic sign frame",
      ]
    ),
    ("nature", false, ["terrain", "vegetation"]), ("sky", false, ["sky"]),
    ("human", true, ["person", "rider"]),
    (
      "vehicle", true,
      ["bicycle", "bus", "car", "caravan", "motorcycle", "trailer", "train", "truck"]
    ),
  ])

  private static func make(_ groups: [(above: String, areThings: Bool, names: [String])])
    -> [Category]
  {
    let rows = groups.flatMap { group in group.names.map { (group.above, group.areThings, $0) } }
    return rows.enumerated().map { place, row in
      var category = Category(
        name: row.2, sourceID: .integer(Int64(place + 1)), supercategory: row.0)
      category.setThing(row.1)
      return category
    }
  }
}
