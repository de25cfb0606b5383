import AssayCore

/// The description of a task, job or project at the beginning of a CVAT file.
struct CVATMeta: Hashable, Sendable {
  /// A class, or a point of a skeleton.
  struct Label: Hashable, Sendable {
    var name: String
    /// The skeleton that the point belongs to; `nil` for a class.
    var parent: String?
    /// The input type of each attribute: checkbox, number, text, select, radio.
    var attributes: [String: String] = [:]
    /// The drawing of a skeleton; `nil` if there is none.
    var drawing: String?
  }

  /// In file order.
  private(set) var labels: [Label] = []
  /// The subset of each task by its id.
  private(set) var subsets: [String: String] = [:]
  /// The size of all frames of a video; `nil` if it is not stated, or several are.
  private(set) var frameSize: ImageSize?
  /// The number of frames of the only task; `nil` for several tasks.
  private(set) var size: Int?
  /// The number of tasks.
  private(set) var tasks = 0

  /// Nothing.
  init() {}

  /// Reads the element `meta`.
  init(_ meta: XMLElement) {
    var sizes: Set<ImageSize> = []
    var names: Set<Label> = []
    // Labels are those of the project, or of the task or job.
    var open = [meta]
    while let element = open.popLast() {
      switch element.name {
      case "labels":
        for child in element.all("label") {
          let label = Self.label(child)
          guard !label.name.isEmpty else { continue }
          if names.insert(Label(name: label.name, parent: label.parent)).inserted {
            labels.append(label)
          }
        }
        continue
      case "task", "job":
        tasks += 1
        size = tasks == 1 ? element.text(of: "size").flatMap { Int($0) } : nil
        if let id = element.text(of: "id"), let subset = element.text(of: "subset") {
          subsets[id] = subset
        }
      case "original_size":
        if let width = element.text(of: "width").flatMap({ Int($0) }),
          let height = element.text(of: "height").flatMap({ Int($0) }), width > 0, height > 0,
          let size = ImageSize.checked(width: width, height: height)
        {
          sizes.insert(size)
        }
      default: break
      }
      open += element.children.reversed()
    }
    frameSize = sizes.count == 1 ? sizes.first : nil
    collect()
  }

  private static func label(_ element: XMLElement) -> Label {
    var label = Label(name: element.text(of: "name") ?? "", parent: element.text(of: "parent"))
    label.drawing = element.text(of: "svg")
    for attribute in element.first("attributes")?.all("attribute") ?? [] {
      if let name = attribute.text(of: "name") {
        label.attributes[name] = attribute.text(of: "input_type") ?? ""
      }
    }
    return label
  }

  /// The attributes of each class by its name, with their input types.
  private(set) var attributes: [String: [String: String]] = [:]
  /// The points of each skeleton by its name, in their order.
  private(set) var points: [String: [String]] = [:]

  /// Collects the classes and points by name.
  private mutating func collect() {
    for label in labels {
      if let parent = label.parent {
        points[parent, default: []].append(label.name)
      } else if attributes[label.name] == nil {
        attributes[label.name] = label.attributes
      }
    }
  }

  /// The skeletons by their class.
  var skeletons: [String: CVATSkeleton] {
    var skeletons = points.mapValues { CVATSkeleton(points: $0) }
    for label in labels where label.parent == nil {
      if let drawing = label.drawing { skeletons[label.name]?.readEdges(drawing) }
    }
    return skeletons
  }

  /// The names of the classes, without the points of skeletons.
  var classes: [String] {
    var seen: Set<String> = []
    return labels.filter { $0.parent == nil }.map(\.name).filter { seen.insert($0).inserted }
  }

  /// The subset of the only task; `nil` if there are several tasks.
  var onlySubset: String? { tasks == 1 ? subsets.values.first : nil }
}
