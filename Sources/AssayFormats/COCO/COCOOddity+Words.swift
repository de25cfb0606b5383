/// The text for an oddity in the health report of two evaluated files.
extension COCOOddity {
  /// Its singular and plural name, and how it is handled; only the key for oddities that only an
  /// import detects.
  var words: (one: String, many: String, rule: String) {
    switch self {
    case .repeatedList: ("a list occurs more than once", "", "the last one is read")
    case .noAnnotations: ("'annotations' is missing", "", "there are no objects")
    case .badImage: ("image is not an object", "images are not objects", "left out")
    case .imageWithoutID: ("image without an id", "images without an id", "left out")
    case .repeatedImageID:
      (
        "image with a duplicate id", "images with a duplicate id",
        "one image, with the last size that is stated"
      )
    case .noImageSize:
      (
        "image with a missing or invalid width or height",
        "images with a missing or invalid width or height",
        "not needed for boxes, but required for polygons"
      )
    case .badCategory: ("category is not an object", "categories are not objects", "left out")
    case .categoryWithoutID: ("category without an id", "categories without an id", "left out")
    case .categoryWithoutName:
      ("category without a name", "categories without a name", "named after the id")
    case .repeatedCategoryID:
      (
        "category with a duplicate id", "categories with a duplicate id",
        "left out, the first one counts"
      )
    case .repeatedCategoryName:
      (
        "category with a duplicate name", "categories with a duplicate name",
        "separate classes, distinguished by id"
      )
    case .badAnnotation:
      ("annotation is not an object", "annotations are not objects", "left out")
    case .truthWithoutReference:
      (
        "annotation without an image_id or category_id",
        "annotations without an image_id or category_id", "left out"
      )
    case .truthOfUnknownImage:
      ("annotation of an unknown image", "annotations of unknown images", "left out")
    case .truthOfUnknownCategory:
      ("annotation of an unknown category", "annotations of unknown categories", "left out")
    case .mistypedTruth:
      (
        "annotation with an image_id or category_id of the wrong type \(Self.eitherType)",
        "annotations with an image_id or category_id of the wrong type \(Self.eitherType)",
        "matched to the image or category with that id"
      )
    case .annotationWithoutID: ("annotation without an id", "annotations without an id", "kept")
    case .textAnnotationID:
      ("annotation whose id is a text", "annotations whose id is a text", "kept")
    case .zeroID: ("annotation of id 0", "annotations of id 0", "kept, and can be found")
    case .repeatedID:
      ("annotation with a duplicate id", "annotations with a duplicate id", "all are kept")
    case .noArea: ("annotation without an area", "annotations without an area", Self.fromShape)
    case .textArea:
      (
        "annotation whose area is a text", "annotations whose area is a text",
        "the number in the text is used"
      )
    case .notFiniteArea:
      (
        "annotation whose area is NaN or infinite", "annotations whose area is NaN or infinite",
        Self.fromShape
      )
    case .negativeArea:
      ("annotation of a negative area", "annotations of a negative area", Self.fromShape)
    case .noCrowd: ("annotation without 'iscrowd'", "annotations without 'iscrowd'", "taken as 0")
    case .badCrowd:
      (
        "annotation whose 'iscrowd' is not a number",
        "annotations whose 'iscrowd' is not a number", "taken as 0"
      )
    case .textCrowd:
      (
        "annotation whose 'iscrowd' is a text", "annotations whose 'iscrowd' is a text",
        "the number in the text is used"
      )
    case .truthWithoutBox:
      (
        "annotation without a bbox that can be used",
        "annotations without a bbox that can be used", "taken from the segmentation"
      )
    case .notFiniteTruthBox:
      (
        "annotation whose bbox has a number that is NaN or infinite",
        "annotations whose bbox has a number that is NaN or infinite",
        "taken from the segmentation, else left out"
      )
    case .negativeTruthBox:
      (
        "annotation whose bbox has a negative size", "annotations whose bbox has a negative size",
        "kept; nothing overlaps it"
      )
    case .truthWithoutRegion:
      (
        "annotation without a segmentation", "annotations without a segmentation",
        "its bbox is used as its region"
      )
    case .oddTruthRegion:
      ("annotation with an odd polygon", "annotations with an odd polygon", "corrected")
    case .strangeTruthRegion:
      (
        "annotation whose segmentation is not a list of polygons",
        "annotations whose segmentation is not a list of polygons", "corrected"
      )
    case .truthMaskSize:
      (
        "annotation whose run lengths are for another size than its image",
        "annotations whose run lengths are for another size than their image", "left out"
      )
    case .badTruthRegion:
      (
        "annotation whose segmentation cannot be used",
        "annotations whose segmentation cannot be used", "left out"
      )
    case .truthWithoutShape:
      (
        "annotation with neither a bbox nor a segmentation",
        "annotations with neither a bbox nor a segmentation", "left out"
      )
    case .truthWithoutKeypoints:
      ("annotation without keypoints", "annotations without keypoints", Self.ignored)
    case .badTruthKeypoints:
      (
        "annotation whose keypoints are not three finite numbers for each of its class",
        "annotations whose keypoints are not three finite numbers for each of their class",
        Self.ignored
      )
    case .noKeypointCount:
      (
        "annotation without num_keypoints", "annotations without num_keypoints",
        "keypoints with a visibility above 0 are counted"
      )
    default: wordsOfResults
    }
  }

  private static let fromShape = "taken from the segmentation, else from the bbox"

  private static let ignored = "ignored, like those with num_keypoints 0"

  private static let eitherType = "(text instead of number, or vice versa)"

  private var wordsOfResults: (one: String, many: String, rule: String) {
    switch self {
    case .wrappedResults:
      ("the results are in a member 'annotations' of an object", "", "read as a list")
    case .noResults: ("the list of results is empty", "", "nothing is found")
    case .badResult: ("result is not an object", "results are not objects", "left out")
    case .resultWithoutReference:
      (
        "result without an image_id or category_id", "results without an image_id or category_id",
        "left out"
      )
    case .resultOfUnknownImage:
      ("result of an unknown image", "results of unknown images", "left out")
    case .resultOfUnknownCategory:
      ("result of an unknown category", "results of unknown categories", "left out")
    case .mistypedImage:
      (
        "result whose image_id has the wrong type \(Self.eitherType)",
        "results whose image_id has the wrong type \(Self.eitherType)",
        "matched to the image with that id"
      )
    case .mistypedCategory:
      (
        "result whose category_id has the wrong type \(Self.eitherType)",
        "results whose category_id has the wrong type \(Self.eitherType)",
        "matched to the category with that id"
      )
    case .noScore: ("result without a score", "results without a score", "left out")
    case .textScore:
      (
        "result whose score is a text", "results whose score is a text",
        "the number in the text is used"
      )
    case .notFiniteScore:
      (
        "result whose score is NaN or infinite", "results whose score is NaN or infinite",
        "left out, because it has no rank"
      )
    case .resultWithoutBox:
      (
        "result without a bbox that can be used", "results without a bbox that can be used",
        "taken from the segmentation"
      )
    case .notFiniteBox:
      (
        "result whose bbox has a number that is NaN or infinite",
        "results whose bbox has a number that is NaN or infinite",
        "taken from the segmentation, else left out"
      )
    case .negativeBox:
      (
        "result whose bbox has a negative size", "results whose bbox has a negative size",
        "kept; it overlaps nothing"
      )
    case .boxAsRegion:
      (
        "result without a segmentation", "results without a segmentation",
        "its bbox is used as its region"
      )
    case .uncompressedRegion:
      (
        "result whose segmentation is not a compressed string",
        "results whose segmentation is not a compressed string", "kept"
      )
    case .oddRegion: ("result with an odd polygon", "results with an odd polygon", "corrected")
    case .strangeRegion:
      (
        "result whose segmentation is not a list of polygons",
        "results whose segmentation is not a list of polygons", "corrected"
      )
    case .maskSize:
      (
        "result whose run lengths are for another size than its image",
        "results whose run lengths are for another size than their image", "left out"
      )
    case .badRegion:
      (
        "result whose segmentation cannot be used", "results whose segmentation cannot be used",
        "left out"
      )
    case .resultWithoutShape:
      (
        "result with neither a bbox nor a segmentation that can be used",
        "results with neither a bbox nor a segmentation that can be used", "left out"
      )
    case .resultWithoutKeypoints:
      ("result without keypoints", "results without keypoints", "left out")
    case .badKeypoints:
      (
        "result whose keypoints are not three finite numbers for each of its class",
        "results whose keypoints are not three finite numbers for each of their class", "left out"
      )
    default: (key, key, "")
    }
  }
}
