/// Recognizes JSON annotation files by the member names at their beginning.
enum JSONCompanion {
  static func kind(_ place: CompanionPlace, _ text: String) -> CompanionKind? {
    func has(_ names: String...) -> Bool { names.allSatisfy { text.contains("\"\($0)\"") } }
    // A section of a configuration file begins as a list does.
    if [".ini", ".cfg", ".conf", ".toml"].contains(place.suffix) {
      return CompanionKind(other: "configuration files")
    }
    if has("source-ref") { return .groundTruth }
    let known: CompanionKind? =
      if has("shape_attributes") || text.contains("\"_via_") {
        .via
      } else if has("vid_list") || has("metadata", "vid", "xy") {
        .via3
      } else if has("shapes"), has("imagePath") || has("imageData") || has("points") {
        .labelMe
      } else if has("imgHeight", "objects") || has("imgWidth", "objects") {
        .cityscapes
      } else if has("classTitle") || has("geometryType")
        || (place.folders.contains("ann") && has("size", "objects"))
        || (place.name == "meta.json" && has("classes"))
      {
        .supervisely
      } else if has("dm_format_version") || has("items", "categories") {
        .datumaro
      } else if has("visitedFrames") {
        .voTT1
      } else if has("asset", "regions") || has("assets", "tags") {
        .voTT
      } else if has("coordinates", "annotations", "label") {
        .createML
      } else if has("from_name", "to_name") || has("completions") || has("rectanglelabels") {
        .labelStudio
      } else if has("box2d") || has("poly2d") || has("frames", "labels")
        || has("labels", "attributes", "name")
      {
        .bdd100K
      } else if has("annotation", "object", "parts") || has("annotation", "folder", "object") {
        .ade20K
      } else {
        coco(text) ?? exported(place, text)
      }
    if let known { return known }
    if place.suffix == ".jsonl" || place.suffix == ".ndjson" {
      return has("file_name") ? .hfMetadata : CompanionKind(other: "JSON Lines")
    }
    if has("file_name"), !text.contains("\"images\"") {
      return .hfMetadata
    }
    return ["", ".txt", ".csv"].contains(place.suffix)
      ? nil : CompanionKind(other: "JSON files")
  }

  /// The kind of a file that a labeling service or a model's trainer writes, and the export that is imported; `nil`
  /// for others.
  private static func exported(_ place: CompanionPlace, _ text: String) -> CompanionKind? {
    func has(_ names: String...) -> Bool { names.allSatisfy { text.contains("\"\($0)\"") } }
    let name: String? =
      if has("prefix", "suffix", "image") {
        "PaliGemma's or Florence-2's JSON Lines (Roboflow exports the same project as COCO JSON)"
      } else if has("messages", "image_url") {
        "conversations for OpenAI's models (Roboflow exports the same project as COCO JSON)"
      } else if has("data_row") {
        "a Labelbox export (labelbox.data.serialization.COCOConverter makes COCO JSON of it)"
      } else if has("imageGcsUri") {
        "Vertex AI's JSON Lines (a CSV of boxes is imported with --columns)"
      } else if has("$oid"), has("sample_fields") || has("filepath") {
        "a FiftyOne dataset (dataset.export(..., dataset_type=fiftyone.types.COCODetectionDataset) writes COCO "
          + "JSON)"
      } else if has("classes", "labels"),
        text.contains("\"bounding_box\"") || place.name == "labels.json"
      {
        "FiftyOne's image labels (export COCODetectionDataset, or for classes ImageClassificationDirectoryTree)"
      } else if has("schema_ref", "item") || has("dataset", "item", "slots") {
        "V7 Darwin JSON (V7 exports COCO, too)"
      } else if has("boundingBoxes", "type"), text.contains("bounding-box-labels") {
        "Edge Impulse's labels of boxes"
      } else if has("FeatureCollection") {
        "GeoJSON, as SpaceNet and xView have it"
      } else {
        nil
      }
    return name.map { CompanionKind($0) }
  }

  private static func coco(_ text: String) -> CompanionKind? {
    func has(_ names: String...) -> Bool { names.allSatisfy { text.contains("\"\($0)\"") } }
    if has("gtboxes") { return .crowdHuman }
    if has("segments_info") { return .cocoPanoptic }
    if has("neg_category_ids") || has("synset", "frequency") { return .lvis }
    if has("timed_caption", "image_id") { return .narratives }
    if has("caption", "image_id") { return .cocoCaptions }
    if has("image_id", "score"), has("bbox") || has("segmentation") || has("keypoints") {
      return .cocoResults
    }
    let isCOCO =
      has("images", "annotations") || has("images", "file_name") || has("images", "categories")
      || has("annotations", "category_id") || has("categories", "supercategory")
    return isCOCO ? .coco : nil
  }
}
