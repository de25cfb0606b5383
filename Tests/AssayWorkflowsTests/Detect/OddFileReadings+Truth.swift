extension OddFileReadings {
  /// The expected readings of invalid ground-truth files.
  static let ofTruth = """
    fine
    fine masks
    fine both bbox
    fine both segm
    masks judged as boxes
    no annotations
    - 'annotations' is missing: there are no objects
    no images
    ! gt.json has no 'images', so it is not COCO ground truth: found an object with 'info', \
    'licenses', 'categories', 'annotations'
    empty images
    ! gt.json lists no image; there is nothing to evaluate
    no categories
    ! gt.json has no 'categories', so it is not COCO ground truth: found an object with 'info', \
    'licenses', 'images', 'annotations'
    image is a number
    - 1 image is not an object: left out (/images/4)
    image without id
    - 1 image without an id: left out (/images/4/id, 'id' is missing)
    image id twice
    - 1 image with a duplicate id: one image, with the last size that is stated \
    (/images/4/id, id 10)
    image id twice, other size
    - 1 image with a duplicate id: one image, with the last size that is stated \
    (/images/1/id, id 10)
    image without size
    - 4 images with a missing or invalid width or height: not needed for boxes, but required for \
    polygons (first: /images/0)
    image without size, segm
    ! gt.json#/annotations/0/segmentation: its region cannot be drawn because image 10 has no \
    valid width and height (at most 100 megapixels); correct them, or evaluate boxes with --iou-type bbox
    category is a text
    - 1 category is not an object: left out (/categories/3)
    category without id
    - 1 category without an id: left out (/categories/3/id, 'id' is missing)
    category without name
    - 1 category without a name: named after the id (/categories/0/name, id 1: 'name' is missing)
    category id twice
    - 1 category with a duplicate id: left out, the first one counts (/categories/3/id, id 1)
    category name twice
    - 1 category with a duplicate name: separate classes, distinguished by id \
    (/categories/1/name, 'cat')
    annotation is null
    - 1 annotation is not an object: left out (/annotations/8)
    annotation without image_id
    - 1 annotation without an image_id or category_id: left out (/annotations/1/image_id, \
    'image_id' is missing)
    annotation without category_id
    - 1 annotation without an image_id or category_id: left out (/annotations/1/category_id, \
    'category_id' is missing)
    annotation of unknown image
    - 1 annotation of an unknown image: left out (/annotations/1/image_id, image_id 999)
    annotation of unknown category
    - 1 annotation of an unknown category: left out (/annotations/1/category_id, category_id 999)
    annotation of an image id as text
    - 1 annotation with an image_id or category_id of the wrong type (text instead of number, or \
    vice versa): matched to the image or category with that id (/annotations/1/image_id, image_id \
    "10")
    annotation of a category id as text
    - 1 annotation with an image_id or category_id of the wrong type (text instead of number, or \
    vice versa): matched to the image or category with that id (/annotations/1/category_id, \
    category_id "1")
    annotation of an image id with a fraction of 0
    annotation without id
    - 1 annotation without an id: kept (/annotations/0/id, 'id' is missing)
    annotation id is a text
    - 1 annotation whose id is a text: kept (/annotations/0/id, "a7")
    annotation id is a number as text
    annotation id 0
    - 1 annotation of id 0: kept, and can be found (/annotations/0/id)
    annotation id 0 segm
    - 1 annotation of id 0: kept, and can be found (/annotations/0/id)
    annotation id 0 as text
    - 1 annotation of id 0: kept, and can be found (/annotations/0/id, "0")
    annotation ids repeated
    - 2 annotations with a duplicate id: all are kept (first: /annotations/1/id, id 101)
    annotation ids repeated segm
    - 2 annotations with a duplicate id: all are kept (first: /annotations/1/id, id 101)
    annotation ids repeated, last of an unknown image
    - 1 annotation of an unknown image: left out (/annotations/4/image_id, image_id 999)
    - 2 annotations with a duplicate id: all are kept (first: /annotations/1/id, id 101)
    no area
    - 3 annotations without an area: taken from the segmentation, else from the bbox (first: \
    /annotations/0/area, 'area' is missing)
    null area
    - 1 annotation without an area: taken from the segmentation, else from the bbox \
    (/annotations/0/area, 'area' is missing)
    no area, no segmentation
    - 8 annotations without an area: taken from the segmentation, else from the bbox (first: \
    /annotations/0/area, 'area' is missing)
    text area
    - 1 annotation whose area is a text: the number in the text is used (/annotations/0/area)
    NaN area
    - 1 annotation whose area is NaN or infinite: taken from the segmentation, else from the bbox \
    (/annotations/0/area, nan)
    infinite area
    - 1 annotation whose area is NaN or infinite: taken from the segmentation, else from the bbox \
    (/annotations/0/area, inf)
    negative area
    - 1 annotation of a negative area: taken from the segmentation, else from the bbox \
    (/annotations/0/area, -5.0)
    no iscrowd
    - 7 annotations without 'iscrowd': taken as 0 (first: /annotations/0/iscrowd)
    iscrowd true and false
    iscrowd null
    - 1 annotation without 'iscrowd': taken as 0 (/annotations/0/iscrowd)
    iscrowd 2
    no bbox
    - 1 annotation without a bbox that can be used: taken from the segmentation \
    (/annotations/0/bbox)
    null bbox
    - 1 annotation without a bbox that can be used: taken from the segmentation \
    (/annotations/0/bbox)
    bbox of three numbers
    - 1 annotation without a bbox that can be used: taken from the segmentation \
    (/annotations/0/bbox)
    NaN bbox
    - 1 annotation whose bbox has a number that is NaN or infinite: taken from the segmentation, \
    else left out (/annotations/0/bbox)
    no bbox, segm
    neither bbox nor segmentation
    - 1 annotation with neither a bbox nor a segmentation: left out (/annotations/0)
    negative bbox
    - 1 annotation whose bbox has a negative size: kept; nothing overlaps it (/annotations/0/bbox)
    no segmentation, segm
    - 1 annotation without a segmentation: its bbox is used as its region \
    (/annotations/0/segmentation)
    empty segmentation, segm
    - 1 annotation without a segmentation: its bbox is used as its region \
    (/annotations/0/segmentation)
    polygon of four numbers
    - 1 annotation whose segmentation is not a list of polygons: corrected \
    (/annotations/0/segmentation, four numbers are not a polygon; kept as a box of x, y, width, \
    height, as pycocotools does)
    polygon without its list
    - 1 annotation whose segmentation is not a list of polygons: corrected \
    (/annotations/0/segmentation, the polygon is not in a list of polygons)
    polygon of an odd count
    - 1 annotation with an odd polygon: corrected (/annotations/0/segmentation, a polygon has an \
    odd count of numbers, 9; the last one is left out)
    polygon of two numbers beside another
    - 1 annotation with an odd polygon: corrected (/annotations/0/segmentation, a polygon with 2 \
    numbers has fewer than three points; the polygon is left out)
    truth's runs of another size
    - 1 annotation whose run lengths are for another size than its image: left out \
    (/annotations/1/segmentation/size, 250×100 for an image of 200×150)
    truth's runs do not sum up
    - 1 annotation whose segmentation cannot be used: left out (/annotations/1/segmentation, the \
    run lengths sum to 11, and the image has 30000 pixels)
    truth's segmentation is a text
    - 1 annotation whose segmentation cannot be used: left out (/annotations/1/segmentation, \
    'segmentation' has an unsupported type)
    """
}
