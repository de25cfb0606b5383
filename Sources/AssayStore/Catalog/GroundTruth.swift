package import AssayCore
import GRDB

/// Determines whether a dataset has the ground truth that a task is evaluated against.
enum GroundTruth {
  /// - Parameter labels: the dataset's labels and classes.
  static func exists(
    for task: ModelTask, in dataset: DatasetRecord, _ labels: AnnotationSet, _ database: Database
  ) throws -> Bool {
    guard !labels.categories.isEmpty, labels.isMultiLabel == (task.output == .labels) else {
      return false
    }
    func hasLabels() throws -> Bool {
      try Int.fetchOne(
        database,
        sql: "SELECT 1 FROM main.annotation WHERE annotationSet = ? AND shape = 'label' LIMIT 1",
        arguments: [labels.annotationSet]) != nil
    }
    // A dataset with classes and neither labels nor regions has images without objects, or lost its labels.
    switch task {
    case .classification: return try dataset.regions == 0 || hasLabels()
    case .segmentation, .detection: return try dataset.regions > 0 || !hasLabels()
    case .multiLabel: return true
    }
  }
}

extension Catalog {
  /// Returns whether images of a dataset have imported labels of the whole image.
  package func hasLabels(in dataset: DatasetRecord) throws -> Bool {
    try read("looking for labels") { database in
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM main.sample s JOIN main.annotation a ON a.sample = s.id
            WHERE s.dataset = ? AND s.retired = 0 AND a.shape IN ('label', 'tag'))
          """, arguments: [dataset.id]) ?? false
    }
  }

  /// Returns whether the ground truth of a dataset has objects that are given by polygons.
  package func hasPolygons(in dataset: DatasetRecord) throws -> Bool {
    try read("looking for polygons") { database in
      let labels = try AnnotationSet(of: dataset.id, in: database)
      return try Int.fetchOne(
        database,
        sql: "SELECT 1 FROM main.annotation WHERE annotationSet = ? AND shape = 'polygon' LIMIT 1",
        arguments: [labels.annotationSet]) != nil
    }
  }

  /// Returns whether all objects of a dataset are boxes; false without objects.
  package func hasOnlyBoxes(in dataset: DatasetRecord) throws -> Bool {
    try read("looking for boxes") { database in
      let labels = try AnnotationSet(of: dataset.id, in: database)
      func has(_ condition: String) throws -> Bool {
        try Int.fetchOne(
          database,
          sql: "SELECT 1 FROM main.annotation WHERE annotationSet = ? AND \(condition) LIMIT 1",
          arguments: [labels.annotationSet]) != nil
      }
      return try has("shape = 'box'") && !has("shape NOT IN ('box', 'label', 'tag')")
    }
  }

  /// Returns whether a dataset has ground truth for a task: labels of whole images for
  /// classification, regions for segmentation and detection, sets of labels for multi-label
  /// classification. False for a dataset without classes; true for one with classes whose images
  /// have neither labels nor regions (images without objects). A multi-label dataset has ground
  /// truth only for multi-label classification, and no other dataset has ground truth for that.
  package func hasGroundTruth(for task: ModelTask, in dataset: DatasetRecord) throws -> Bool {
    try read("looking for ground truth") { database in
      try GroundTruth.exists(
        for: task, in: dataset, AnnotationSet(of: dataset.id, in: database), database)
    }
  }

  /// Returns whether an imported annotation of a dataset has COCO's `keypoints`.
  package func hasKeypoints(in dataset: DatasetRecord) throws -> Bool {
    try read("looking for keypoints") { database in
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM sample s JOIN annotation a ON a.sample = s.id
            WHERE s.dataset = ? AND a.attributes LIKE '%"keypoints":[%')
          """, arguments: [dataset.id]) ?? false
    }
  }
}
