import AssayCore

/// One class of Cityscapes' official table.
struct CityscapesLabel: Hashable, Sendable {
  var name: String
  /// The value in label images; -1 for a class that is not drawn in them.
  var id: Int
  /// The value in images of training ids; 255 and -1 for none.
  var trainID: Int
  var category: String
  /// True if single objects are told apart; a group of them is called `cargroup`.
  var hasInstances: Bool
  /// True if its pixels are not evaluated.
  var isIgnored: Bool

  /// The class without its spaces, as Datumaro writes it.
  static func plain(_ name: String) -> String { name.lowercased().filter { $0 != " " } }

  /// The table, by id, then the class that is not drawn.
  static let all: [CityscapesLabel] = {
    let rows: [(String, Int, String, Bool, Bool)] = [
      ("unlabeled", 255, "void", false, true),
      ("ego vehicle", 255, "void", false, true),
      ("rectification border", 255, "void", false, true),
      ("out of roi", 255, "void", false, true),
      ("static", 255, "void", false, true),
      ("dynamic", 255, "void", false, true),
      ("ground", 255, "void", false, true),
      ("road", 0, "flat", false, false),
      ("sidewalk", 1, "flat", false, false),
      ("parking", 255, "flat", false, true),
      ("rail track", 255, "flat", false, true),
      ("building", 2, "construction", false, false),
      ("wall", 3, "construction", false, false),
      ("fence", 4, "construction", false, false),
      ("guard rail", 255, "construction", false, true),
      ("bridge", 255, "construction", false, true),
      ("tunnel", 255, "construction", false, true),
      ("pole", 5, "object", false, false),
      ("polegroup", 255, "object", false, true),
      ("traffic light", 6, "object", false, false),
      ("traffic sign", 7, "object", false, false),
      ("vegetation", 8, "nature", false, false),
      ("terrain", 9, "nature", false, false),
      ("sky", 10, "sky", false, false),
      ("person", 11, "human", true, false),
      ("rider", 12, "human", true, false),
      ("car", 13, "vehicle", true, false),
      ("truck", 14, "vehicle", true, false),
      ("bus", 15, "vehicle", true, false),
      ("caravan", 255, "vehicle", true, true),
      ("trailer", 255, "vehicle", true, true),
      ("train", 16, "vehicle", true, false),
      ("motorcycle", 17, "vehicle", true, false),
      ("bicycle", 18, "vehicle", true, false),
    ]
    let drawn = rows.enumerated().map { id, row in
      CityscapesLabel(
        name: row.0, id: id, trainID: row.1, category: row.2, hasInstances: row.3, isIgnored: row.4)
    }
    return drawn + [
      CityscapesLabel(
        name: "license plate", id: -1, trainID: -1, category: "vehicle", hasInstances: false,
        isIgnored: true)
    ]
  }()

  /// The class of this table. A class that is not drawn is not void: it would take its pixels away
  /// from the class below it, which the official evaluation counts.
  func made(called name: String, id: Int) -> Category {
    var made = Category(
      name: name, sourceID: .integer(Int64(id)), supercategory: category,
      isVoid: isIgnored && self.id >= 0)
    made.setThing(hasInstances)
    return made
  }
}
