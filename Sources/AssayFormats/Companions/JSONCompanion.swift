/// Recognizes JSON annotation files by the member names at their beginning.
enum JSONCompanion {
  static func kind(_ place: CompanionPlace, _ text: String) -> CompanionKind? {
    func has(_ names: String...) -> Bool { names.allSatisfy { text.contains("\"\($0)\"") } }
    if has("source-ref") { return .groundTruth }
    let name: String? =
      if has("shape_attributes") || text.contains("\"_via_") {
        "VIA annotations"
      } else if has("vid_list") || has("metadata", "vid", "xy") {
        "VIA 3 annotations"
      } else if has("shapes"), has("imagePath") || has("imageData") || has("points") {
        "LabelMe annotations (JSON)"
      } else if has("imgHeight", "objects") || has("imgWidth", "objects") {
        "Cityscapes polygons"
      } else if has("classTitle") || has("geometryType")
        || (place.folders.contains("ann") && has("size", "objects"))
        || (place.name == "meta.json" && has("classes"))
      {
        "Supervisely annotations"
      } else if has("dm_format_version") || has("items", "categories") {
        "Datumaro annotations"
      } else if has("asset", "regions") || has("assets", "tags")
        || has("visitedFrames")
      {
        "VoTT annotations"
      } else if has("coordinates", "annotations", "label") {
        "Create ML annotations"
      } else if has("from_name", "to_name") || has("completions") || has("rectanglelabels") {
        "Label Studio annotations"
      } else if has("box2d") || has("poly2d") || has("frames", "labels")
        || has("labels", "attributes", "name")
      {
        "BDD100K labels"
      } else if has("annotation", "object", "parts") || has("annotation", "folder", "object") {
        "ADE20K annotations"
      } else {
        coco(text)
      }
    if let name {
      return name == CompanionKind.cocoResults.name ? .cocoResults : CompanionKind(name: name)
    }
    if place.suffix == ".jsonl" || place.suffix == ".ndjson" {
      return has("file_name")
        ? CompanionKind(name: "Hugging Face image-folder metadata")
        : CompanionKind(name: "JSON Lines", isAnnotation: false)
    }
    if has("file_name"), !text.contains("\"images\"") {
      return CompanionKind(name: "Hugging Face image-folder metadata")
    }
    return ["", ".txt", ".csv"].contains(place.suffix)
      ? nil : CompanionKind(name: "JSON files", isAnnotation: false)
  }

  private static func coco(_ text: String) -> String? {
    func has(_ names: String...) -> Bool { names.allSatisfy { text.contains("\"\($0)\"") } }
    if has("gtboxes") { return "CrowdHuman annotations (.odgt)" }
    if has("segments_info") { return "COCO panoptic annotations" }
    if has("neg_category_ids") || has("synset", "frequency") { return "LVIS annotations" }
    if has("caption", "image_id") { return "COCO captions" }
    if has("image_id", "score"), has("bbox") || has("segmentation") || has("keypoints") {
      return CompanionKind.cocoResults.name
    }
    let isCOCO =
      has("images", "annotations") || has("images", "file_name") || has("images", "categories")
      || has("annotations", "category_id") || has("categories", "supercategory")
    return isCOCO ? "COCO annotations" : nil
  }
}
