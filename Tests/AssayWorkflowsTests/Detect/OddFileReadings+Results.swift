extension OddFileReadings {
  /// The expected readings of invalid results files.
  static let ofResults = """
    empty list
    - the list of results is empty: nothing is found
    wrapped
    - the results are in a member 'annotations' of an object: read as a list
    result is a number
    - 1 result is not an object: left out (/11)
    unknown image
    - 1 result of an unknown image: left out (/1/image_id, 999)
    all images unknown
    ! dt.json: none of 11 results can be used
    !   11 results of unknown images: left out (first: /0/image_id, 999)
    ! gt.json has the images 10, 20, 30, …: give the ground truth of the split that was predicted
    unknown category
    - 1 result of an unknown category: left out (/1/category_id, 999)
    category id 2 of none
    - 2 results of unknown categories: left out (first: /0/category_id, 2)
    no image_id
    - 1 result without an image_id or category_id: left out (/1/image_id, 'image_id' is missing)
    no category_id
    - 1 result without an image_id or category_id: left out (/1/category_id, 'category_id' is \
    missing)
    image ids as text
    - 11 results whose image_id has the wrong type (text instead of number, or vice versa): \
    matched to the image with that id (first: /0/image_id, "10")
    category ids as text
    - 2 results whose category_id has the wrong type (text instead of number, or vice versa): \
    matched to the category with that id (first: /0/category_id, "1")
    all ids as text
    no score
    - 1 result without a score: left out (/1/score, 'score' is missing)
    no scores
    ! dt.json: none of 11 results can be used
    !   11 results without a score: left out (first: /0/score, 'score' is missing)
    ! each result needs a 'score'; a ground-truth file has none
    null score
    - 1 result without a score: left out (/1/score, 'score' is missing)
    text score
    - 1 result whose score is a text: the number in the text is used (/1/score)
    NaN score
    - 1 result whose score is NaN or infinite: left out, because it has no rank (/1/score, nan)
    NaN and infinite scores
    - 3 results whose score is NaN or infinite: left out, because it has no rank (first: \
    /1/score, nan)
    score 1e999
    - 1 result whose score is NaN or infinite: left out, because it has no rank (/3/score, inf)
    no bbox in a result
    - 1 result with neither a bbox nor a segmentation that can be used: left out (/1)
    no bbox in the first result
    - 1 result with neither a bbox nor a segmentation that can be used: left out (/0)
    null bbox in a result
    - 1 result with neither a bbox nor a segmentation that can be used: left out (/1)
    no bbox but a segmentation
    - 1 result without a bbox that can be used: taken from the segmentation (/1/bbox)
    short bbox in a result
    - 1 result with neither a bbox nor a segmentation that can be used: left out (/1)
    NaN bbox in a result
    - 1 result whose bbox has a number that is NaN or infinite: taken from the segmentation, else \
    left out (/1)
    negative bbox in a result
    empty bbox in a result
    boxes judged as masks
    ! dt.json: no result has a 'segmentation', which --iou-type segm compares; evaluate the boxes \
    with --iou-type bbox (--compat pycocotools uses each bbox as a region)
    a box among masks
    - 1 result without a segmentation: its bbox is used as its region (/1/segmentation)
    a box among masks without boxes
    - 1 result without a segmentation: its bbox is used as its region (/1/segmentation)
    result of neither
    - 1 result with neither a bbox nor a segmentation that can be used: left out (/1)
    runs of another size
    - 1 result whose run lengths are for another size than its image: left out \
    (/1/segmentation/size, 250×100 for an image of 200×150)
    runs of another size as boxes
    - 1 result whose run lengths are for another size than its image: left out \
    (/1/segmentation/size, 250×100 for an image of 200×150)
    runs that do not sum up
    - 1 result whose segmentation cannot be used: left out (/1/segmentation, the run lengths sum \
    to 7, and the image has 30000 pixels)
    bad characters in runs
    - 1 result whose segmentation cannot be used: left out (/1/segmentation, the compressed run \
    lengths are broken at character 0)
    runs without a size
    - 1 result whose segmentation cannot be used: left out (/1/segmentation, its run lengths have \
    no valid 'size' of height and width)
    uncompressed runs
    - 1 result whose segmentation is not a compressed string: kept (/1/segmentation)
    uncompressed runs beside boxes
    polygons as results beside boxes
    more than 100 of a class
    swapped
    ! --gt gt.json is a list of results, and --dt dt.json has images and annotations: they look \
    swapped
    ! give --gt dt.json --dt gt.json
    truth twice
    ! dt.json has 'images', and annotations without a score: it is ground truth; results must be a \
    list of objects with image_id, category_id, bbox or segmentation, and score
    results twice
    ! gt.json is a list, like results; expected a ground truth object with 'images', \
    'annotations' and 'categories'
    truth is cut off
    ! gt.json: broken JSON at byte 2092: the file ends there in the middle of a value: it is cut \
    off
    ! nothing was imported; fetch or write the file again
    results are cut off
    ! dt.json: broken JSON at byte 813: the file ends there in the middle of a value: it is cut \
    off
    ! nothing was imported; fetch or write the file again
    results are cut off between two
    ! dt.json: broken JSON at byte 75: the file ends there in the middle of a value: it is cut off
    ! nothing was imported; fetch or write the file again
    results miss a comma
    ! dt.json: broken JSON at byte 76: a comma, a colon, a quote or a bracket is wrong (found '{')
    ! nothing was imported; fetch or write the file again
    results have a comma too many
    ! dt.json: broken JSON at byte 843: a comma, a colon, a quote or a bracket is wrong (found \
    ']')
    ! nothing was imported; fetch or write the file again
    results are no JSON
    ! dt.json is not a JSON list or object: it begins with 'image,score'
    results are empty
    ! dt.json is empty; COCO results must be a JSON list, [] if there are none
    results are a number
    ! dt.json is not a JSON list or object: it begins with '5'
    results are an object
    ! dt.json is an object with 'a', 'b'; results must be a list of objects with image_id, \
    category_id, bbox or segmentation, and score
    results are predictions in a list
    ! dt.json is an object with 'predictions'; results must be a list of objects with image_id, \
    category_id, bbox or segmentation, and score
    truth is no JSON
    ! gt.json is not a JSON list or object: it begins with 'hello'
    """
}
