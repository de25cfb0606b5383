package import AssayCore

/// COCO's JSON with labels of whole images, as Datumaro writes it: annotations with an image and a
/// category and nothing else. An image has a set of labels.
package struct COCOLabelsImporter: COCOFileImporter {
  package init() {}

  package var format: DatasetFormat { .cocoLabels }

  package var summary: String {
    "COCO JSON with labels of whole images, a set for each image"
  }

  package var recognizedBy: String {
    "a COCO JSON (labels_train.json) whose annotations have an image and a category and no box, "
      + "segmentation or caption; each JSON is a split"
  }
}
