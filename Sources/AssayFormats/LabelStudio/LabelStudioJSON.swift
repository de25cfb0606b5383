import AssayCore

/// Label Studio's export of tasks: JSON, or JSON_MIN.
struct LabelStudioJSON: JSONImageFormat {
  let tally = JSONTally()
  /// The person whose annotations are the labels; `nil` for the last submitted ones.
  var annotator: String?
  /// The people who annotated.
  private let people = LabelStudioPeople()

  init(annotator: String? = nil) { self.annotator = annotator }

  var title: String { "Label Studio export" }
  var kind: String { "Label Studio annotations" }
  var naming: Set<String>? { nil }
  var notes: [String] { tally.notes }

  func layout(of sample: JSONSample) -> JSONFileLayout? {
    guard sample.isList else { return nil }
    return sample.elements.contains { Self.isTask($0) || Self.isMinimal($0) } ? .list : nil
  }

  static func isTask(_ element: JSONValue) -> Bool {
    guard let data = element.member("data")?.members, !data.isEmpty else { return false }
    return element.member("annotations") != nil || element.member("completions") != nil
      || element.member("predictions") != nil
  }

  /// Returns whether an element is one of JSON_MIN: the data and the results of one annotation.
  private static func isMinimal(_ element: JSONValue) -> Bool {
    guard element.member("data") == nil, LabelStudioName.text(in: element) != nil else {
      return false
    }
    return element.member("annotation_id") != nil
      && (element.member("annotator") != nil || element.member("lead_time") != nil)
  }

  func name(of element: JSONValue, file: String, member: String?) -> JSONImageName {
    let data = element.member("data") ?? element
    var names = LabelStudioName.text(in: data).map(LabelStudioName.path(of:)) ?? []
    if case .string(let upload)? = element.member("file_upload"), !upload.isEmpty {
      names.append(JSONImageFinder.last(upload))
    }
    guard !names.isEmpty else {
      let isVideo = element.member("data")?.member("video") != nil
      return .problem(
        .missingField,
        isVideo
          ? "the task is a video, whose annotations are not imported; export its frames and COCO JSON; left out"
          : "the data of the task name no image; left out")
    }
    return .names(names)
  }

  func count(_ element: JSONValue) -> Int {
    guard let (annotations, _) = Self.annotations(of: element) else {
      return Self.isTask(element) ? 0 : LabelStudioResults(minimal: element).count
    }
    return annotations.reduce(0) { $0 + LabelStudioResults($1).count }
  }

  private static func annotations(
    of element: JSONValue
  ) -> (list: [JSONValue], key: String)? {
    for key in ["annotations", "completions"] {
      if let list = element.member(key)?.elements { return (list, key) }
    }
    return nil
  }

  func read(_ element: JSONValue, into image: inout JSONImageReading) {
    if case .array(let predictions)? = element.member("predictions"), !predictions.isEmpty {
      tally.add(
        "predictions in the tasks, which are not read", image.file, count: predictions.count)
    }
    if case .array(let drafts)? = element.member("drafts"), !drafts.isEmpty {
      tally.add("drafts of annotations, which are not read", image.file, count: drafts.count)
    }
    guard element.member("data") != nil else {
      var results = LabelStudioResults(minimal: element)
      results.annotator = Self.person(element.member("annotator"))
      image.result.annotationsRead = results.count
      _ = choose([(0, element)], "annotator", image.file)
      return results.read(into: &image)
    }
    let key =
      element.member("annotations") == nil && element.member("completions") != nil
      ? "completions" : "annotations"
    guard let list = image.list(element.member(key), key) else { return }
    image.result.annotationsRead = list.reduce(0) { $0 + LabelStudioResults($1).count }
    let submitted = list.enumerated().filter { $0.element.member("was_cancelled") != .bool(true) }
    guard let chosen = choose(submitted, "completed_by", image.file) else {
      // An open task with a place for predictions, as programs write it before somebody annotates.
      if list.isEmpty, case .array? = element.member("predictions") {
        return image.warn(
          .missingLabel, "/" + key, "the task has no annotation; the image is kept without")
      }
      return image.reject(
        .missingLabel, "/" + key,
        list.isEmpty
          ? "the task has no annotation"
          : "all annotations of the task were cancelled (\(list.count))")
    }
    let pointer = "/\(key)/\(chosen.offset)"
    let data = element.member("data")
    guard chosen.element.members != nil else {
      return image.reject(
        .badField, pointer, "the annotation is \(chosen.element.kindName), not an object")
    }
    guard case .array? = chosen.element.member("result") else {
      let value = chosen.element.member("result")
      return image.reject(
        value == nil ? .missingField : .badField, pointer + "/result",
        "'result' is \(value.map { "\($0.kindName), not a list" } ?? "missing"), so the objects of the image are unknown"
      )
    }
    noteCancelled(list, key, &image)
    read(chosen.element, pointer, data, into: &image)
    for other in submitted where other.offset != chosen.offset {
      add(other.element, "/\(key)/\(other.offset)", data, to: &image)
    }
  }

  private func read(
    _ annotation: JSONValue, _ pointer: String, _ data: JSONValue?,
    into image: inout JSONImageReading
  ) {
    var results = LabelStudioResults(annotation)
    results.data = data
    results.pointer = pointer + "/result"
    results.annotator = Self.person(annotation.member("completed_by"))
    results.read(into: &image)
  }

  func isPart(_ element: JSONValue) -> Bool { Self.isMinimal(element) }

  func read(_ parts: [(element: JSONValue, reading: JSONImageReading)]) -> JSONImageReading {
    var readings = parts.map(\.reading)
    for (place, (element, _)) in parts.enumerated() {
      var results = LabelStudioResults(minimal: element)
      results.annotator = Self.person(element.member("annotator"))
      results.read(into: &readings[place])
    }
    let list = parts.enumerated().map { (offset: $0.offset, element: $0.element.element) }
    let chosen = choose(list, "annotator", readings[0].file)?.offset ?? 0
    var image = readings[chosen]
    image.result.annotationsRead = parts.reduce(0) { $0 + count($1.element) }
    for (place, (element, _)) in parts.enumerated() where place != chosen {
      add(readings[place], Self.person(element.member("annotator")), to: &image)
    }
    return image
  }

  func finish() throws { try people.check(annotator) }

  /// The annotation that is the label: of the chosen person if that one annotated the image, else the last
  /// submitted one.
  ///
  /// - Parameter key: the member that names the person.
  private func choose(
    _ list: [(offset: Int, element: JSONValue)], _ key: String, _ file: String
  ) -> (offset: Int, element: JSONValue)? {
    for annotation in list { people.add(annotation.element.member(key)) }
    guard let annotator else { return Self.last(list) }
    let own = list.filter {
      LabelStudioPeople.names(of: $0.element.member(key)).contains(annotator)
    }
    if own.isEmpty, !list.isEmpty {
      tally.add(
        "images that \(annotator) did not annotate; the label is the last submitted annotation",
        file)
    }
    return Self.last(own.isEmpty ? list : own)
  }

  /// Adds an annotation that is not the label, as one of its annotator.
  private func add(
    _ annotation: JSONValue, _ pointer: String, _ data: JSONValue?,
    to image: inout JSONImageReading
  ) {
    guard case .array? = annotation.member("result") else {
      return image.drop(
        .badField, pointer, "an annotation that is not the label has no list 'result'")
    }
    var reading = JSONImageReading(
      file: image.file, pointer: image.pointer, key: image.key, imageSize: image.imageSize)
    reading.result.statedSize = image.result.statedSize
    read(annotation, pointer, data, into: &reading)
    add(reading, Self.person(annotation.member("completed_by")), to: &image)
  }

  /// Adds what an annotator did, other than the label.
  private func add(
    _ reading: JSONImageReading, _ annotator: JSONValue?, to image: inout JSONImageReading
  ) {
    image.result.issues += reading.result.issues
    let person = annotator.map { $0.text ?? $0.text() }
    var name = person ?? "unknown"
    var number = 1
    while image.result.others.contains(where: { $0.name == name }) {
      number += 1
      name = "\(person ?? "unknown") (\(number))"
    }
    image.result.others.append(
      OtherAnnotator(
        name: name, label: reading.result.label,
        labelIsAnnotation: reading.result.labelIsAnnotation, regions: reading.result.regions))
  }

  /// The last submitted annotation: by `created_at` if all have it, else by their order.
  private static func last(
    _ list: [(offset: Int, element: JSONValue)]
  ) -> (offset: Int, element: JSONValue)? {
    let times = list.compactMap { $0.element.member("created_at")?.text }
    guard times.count == list.count else { return list.last }
    return zip(list, times).max { a, b in
      (a.1, a.0.offset) < (b.1, b.0.offset)
    }?.0
  }

  /// The id of an annotator, who can be an object with an email.
  private static func person(_ value: JSONValue?) -> JSONValue? {
    value?.member("id") ?? value?.member("email") ?? value
  }

  private func noteCancelled(
    _ list: [JSONValue], _ key: String, _ image: inout JSONImageReading
  ) {
    let cancelled = list.filter { $0.member("was_cancelled") == .bool(true) }
    guard !cancelled.isEmpty else { return }
    let regions = cancelled.reduce(0) { $0 + LabelStudioResults($1).count }
    image.result.issues.append(
      Issue(
        .duplicateID, .error, at: image.location("/" + key), sampleKey: image.key,
        "\(cancelled.count) of the \(Counted.text(list.count, "annotation", "annotations")) of the task "
          + "\(cancelled.count == 1 ? "was" : "were") cancelled and \(cancelled.count == 1 ? "is" : "are") "
          + "left out, with \(regions) \(regions == 1 ? "region" : "regions")"))
  }
}
