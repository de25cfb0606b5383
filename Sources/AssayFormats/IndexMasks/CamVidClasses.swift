/// CamVid's own classes, for sets that come without a list of them.
enum CamVidClasses {
  /// The classes of the index masks, by value. Source: the SegNet tutorial's CamVid, V. Badrinarayanan,
  /// A. Kendall, R. Cipolla (2017), doi:10.1109/TPAMI.2016.2644615.
  static let names = [
    "sky", "building", "pole", "road", "pavement", "tree", "signsymbol", "fence", "car",
    "pedestrian", "bicyclist", "void",
  ]

  /// The 32 classes of the color masks, in the order of CamVid's `label_colors.txt`. Source: G. Brostow,
  /// J. Fauqueur, R. Cipolla (2009), doi:10.1016/j.patrec.2008.04.005.
  static let colours = LabelColors([
    .init(colour: 0x408040, name: "Animal"), .init(colour: 0xC00080, name: "Archway"),
    .init(colour: 0x0080C0, name: "Bicyclist"), .init(colour: 0x008040, name: "Bridge"),
    .init(colour: 0x800000, name: "Building"), .init(colour: 0x400080, name: "Car"),
    .init(colour: 0x4000C0, name: "CartLuggagePram"), .init(colour: 0xC08040, name: "Child"),
    .init(colour: 0xC0C080, name: "Column_Pole"), .init(colour: 0x404080, name: "Fence"),
    .init(colour: 0x8000C0, name: "LaneMkgsDriv"), .init(colour: 0xC00040, name: "LaneMkgsNonDriv"),
    .init(colour: 0x808040, name: "Misc_Text"), .init(colour: 0xC000C0, name: "MotorcycleScooter"),
    .init(colour: 0x804040, name: "OtherMoving"), .init(colour: 0x40C080, name: "ParkingBlock"),
    .init(colour: 0x404000, name: "Pedestrian"), .init(colour: 0x804080, name: "Road"),
    .init(colour: 0x8080C0, name: "RoadShoulder"), .init(colour: 0x0000C0, name: "Sidewalk"),
    .init(colour: 0xC08080, name: "SignSymbol"), .init(colour: 0x808080, name: "Sky"),
    .init(colour: 0x4080C0, name: "SUVPickupTruck"), .init(colour: 0x000040, name: "TrafficCone"),
    .init(colour: 0x004040, name: "TrafficLight"), .init(colour: 0xC04080, name: "Train"),
    .init(colour: 0x808000, name: "Tree"), .init(colour: 0xC080C0, name: "Truck_Bus"),
    .init(colour: 0x400040, name: "Tunnel"), .init(colour: 0xC0C000, name: "VegetationMisc"),
    .init(colour: 0x000000, name: "Void"), .init(colour: 0x40C000, name: "Wall"),
  ])
}
