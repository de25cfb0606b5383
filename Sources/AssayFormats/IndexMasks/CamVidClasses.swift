/// CamVid's own classes, for datasets without a list of classes.
enum CamVidClasses {
  /// The classes of the index masks, by value. Source: the SegNet tutorial's CamVid, V. Badrinarayanan,
  /// A. Kendall, R. Cipolla (2017), doi:10.1109/TPAMI.2016.2644615.
  static let names = [
    "sky", "building", "pole", "road", "pavement", "tree", "signsymbol", "fence", "car",
    "pedestrian", "bicyclist", "void",
  ]

  /// The 32 classes of the color masks, in the order of CamVid's `label_colors.txt`. Source: G. Brostow,
  /// J. Fauqueur, R. Cipolla (2009), doi:10.1016/j.patrec.2008.04.005.
  static let colors = LabelColors([
    .init(color: 0x408040, name: "Animal"), .init(color: 0xC00080, name: "Archway"),
    .init(color: 0x0080C0, name: "Bicyclist"), .init(color: 0x008040, name: "Bridge"),
    .init(color: 0x800000, name: "Building"), .init(color: 0x400080, name: "Car"),
    .init(color: 0x4000C0, name: "CartLuggagePram"), .init(color: 0xC08040, name: "Child"),
    .init(color: 0xC0C080, name: "Column_Pole"), .init(color: 0x404080, name: "Fence"),
    .init(color: 0x8000C0, name: "LaneMkgsDriv"), .init(color: 0xC00040, name: "LaneMkgsNonDriv"),
    .init(color: 0x808040, name: "Misc_Text"), .init(color: 0xC000C0, name: "MotorcycleScooter"),
    .init(color: 0x804040, name: "OtherMoving"), .init(color: 0x40C080, name: "ParkingBlock"),
    .init(color: 0x404000, name: "Pedestrian"), .init(color: 0x804080, name: "Road"),
    .init(color: 0x8080C0, name: "RoadShoulder"), .init(color: 0x0000C0, name: "Sidewalk"),
    .init(color: 0xC08080, name: "SignSymbol"), .init(color: 0x808080, name: "Sky"),
    .init(color: 0x4080C0, name: "SUVPickupTruck"), .init(color: 0x000040, name: "TrafficCone"),
    .init(color: 0x004040, name: "TrafficLight"), .init(color: 0xC04080, name: "Train"),
    .init(color: 0x808000, name: "Tree"), .init(color: 0xC080C0, name: "Truck_Bus"),
    .init(color: 0x400040, name: "Tunnel"), .init(color: 0xC0C000, name: "VegetationMisc"),
    .init(color: 0x000000, name: "Void"), .init(color: 0x40C000, name: "Wall"),
  ])
}
