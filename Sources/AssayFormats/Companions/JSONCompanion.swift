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
        coco(text)
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
