package import AssayCore

/// LVIS's JSON: COCO's instances whose images list the classes that were verified in them.
///
/// Images are found by the end of their URL (`train2017/000000391895.jpg`).
package struct LVISImporter: COCOFileImporter {
  package init() {}

  package var format: DatasetFormat { .lvis }

  package var summary: String {
    "LVIS JSON: COCO instances with verified classes for each image"
  }

  package var recognizedBy: String {
    "a JSON like COCO's whose images have neg_category_ids and not_exhaustive_category_ids, or a "
      + "coco_url and no file_name: lvis_v1_val.json, alone (--images DIR) or in a folder with "
      + "train2017/ and val2017/"
  }
}
