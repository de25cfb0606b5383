import AssayCore

/// The images of a Pascal VOC dataset and their annotations, for ``RegionImport``.
struct VOCSource: RegionSource {
  let name: String
  let items: [VOCItem]
  let classes: [Category]
  let issues: [Issue]
  /// The counts of all annotations that were read.
  let tally = VOCTally()

  private let tree: any SourceTree
  private let layout: VOCLayout
  private let meaning: VOCClasses
  private let files: SortedFiles
  private let masks: VOCMaskReader

  init(_ layout: VOCLayout, _ classes: VOCClasses) {
    name = layout.inventory.tree.name
    items = layout.items
    self.classes = classes.declared
    issues = classes.issues + layout.issues
    tree = layout.inventory.tree
    files = layout.files
    self.layout = layout
    meaning = classes
    masks = VOCMaskReader(tree: layout.inventory.tree)
  }

  var imagesLeftOut: Int { layout.imagesLeftOut }

  func path(of item: VOCItem) -> String { layout.path(of: item) }

  func split(of item: VOCItem) -> String? {
    item.split < 0 ? nil : layout.splitNames[Int(item.split)]
  }

  func read(_ item: VOCItem, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let key = path(of: item)
    var root: XMLElement?
    if item.xml >= 0 {
      let file = files.files[Int(item.xml)]
      do {
        let found = try VOCAnnotation.root(file, in: tree)
        guard VOCAnnotation.isVOC(found) else {
          result.reject(
            Issue(
              .unsupportedFile, .error, at: IssueLocation(file: file.path, line: found.line),
              sampleKey: key,
              "the file is XML, but no Pascal VOC annotation (its root is '\(found.name)'); the image "
                + "is left out"))
          return result
        }
        root = found
        result.annotationsRead = VOCAnnotation.count(in: found)
        if let foreign = VOCAnnotation.foreignObjects(in: found) {
          result.annotationsRead += foreign.count
          result.issues.append(
            Issue(
              .unsupportedField, .error,
              at: IssueLocation(file: file.path, line: foreign.holder.line), sampleKey: key,
              "\(Counted.text(foreign.count, "object is", "objects are")) in '\(foreign.holder.name)', not in elements "
                + "'object' of the annotation, as Pascal VOC has them; left out"))
        }
      } catch {
        let line = (error as? XMLProblem)?.line
        let text = (error as? XMLProblem)?.text ?? "\(error)"
        result.reject(
          Issue(
            .unsupportedFile, .error, at: IssueLocation(file: file.path, line: line),
            sampleKey: key, "\(text); the image is left out"))
        return result
      }
    }
    if case .rejected(let number) = item.kind {
      result.reject(layout.rejections[Int(number)])
      return result
    }
    // Another problem with the image is reported by the import.
    if let image, case .failure = image.size {
      result.isRejected = true
      return result
    }
    var counts = VOCCounts()
    read(item, root, image: image, key: key, &counts, &result)
    tally.add(counts)
    return result
  }

  /// Reads objects and masks of an image that is kept.
  private func read(
    _ item: VOCItem, _ root: XMLElement?, image: ImageProbe?, key: String,
    _ counts: inout VOCCounts, _ result: inout LabeledImage
  ) {
    var objects: [VOCObjectReader.Object] = []
    if let root {
      let file = files[Int(item.xml)]
      result.statedSize = size(root, image, file, key, &result)
      noteName(root, item, file, key, &counts, &result)
      let coordinates = VOCAnnotation.coordinates(of: root, meaning.labelMap)
      if result.annotationsRead > 0 {
        switch coordinates {
        case .voc: break
        case .roboflow: counts.add(.roboflow, file: file, line: root.line)
        case .datumaro: counts.add(.datumaro, file: file, line: root.line)
        case .labelStudio: counts.add(.labelStudio, file: file, line: root.line)
        }
      }
      var reader = VOCObjectReader(
        classes: meaning, coordinates: coordinates, file: file, key: key)
      reader.read(root)
      result.issues += reader.issues
      result.regions = reader.regions
      objects = reader.objects
      counts.add(reader.counts)
    }
    defer { addLabels(item, objects: Set(objects.map(\.name)), key, &result) }
    guard item.classMask >= 0 || item.objectMask >= 0 else { return }
    let size: ImageSize?
    if let image, case .success(let found) = image.size {
      size = found
    } else {
      size = result.statedSize
    }
    let classMask = mask(item.classMask, meaning.colors, image, size, key, &result)
    let objectMask = mask(
      item.objectMask, VOCPalette.labels, image, size ?? classMask?.values.size, key, &result)
    result.statedSize = result.statedSize ?? classMask?.values.size ?? objectMask?.values.size
    var segmentation = VOCSegmentation(
      classes: meaning, key: key, objects: objects, regions: result.regions)
    if let objectMask {
      segmentation.add(
        objects: objectMask.values, objectMask.file, classes: classMask)
    } else if let classMask {
      segmentation.add(classes: classMask.values, classMask.file)
    }
    result.regions = segmentation.regions
    result.annotationsRead += segmentation.added
    result.issues += segmentation.issues
    counts.add(segmentation.counts)
  }

  /// Adds the labels of the image that the lists per class state.
  private func addLabels(
    _ item: VOCItem, objects: Set<String>, _ key: String, _ result: inout LabeledImage
  ) {
    guard !layout.labels.isEmpty else { return }
    var image: Int32 = -1
    if case .image(let index) = item.kind { image = index }
    let first = result.regions.count
    for label in layout.labels.labels(ofImage: image, xml: item.xml, objects: objects) {
      result.annotationsRead += 1
      let (category, isDeclared) = meaning.category(named: label.name)
      guard isDeclared || !meaning.isClosed else {
        result.issues.append(
          Issue(
            .unknownLabel, .error, at: label.location, sampleKey: key,
            "--classes does not list the class '\(label.name)' of the image; left out"))
        continue
      }
      result.regions.append(
        LabeledRegion(
          category: category, shape: .tag, at: label.location, title: "label \(label.name)"))
    }
    guard result.regions.count > first else { return }
    result.takeLabel(from: Array(first..<result.regions.count))
  }

  /// A mask; `nil`, with an issue, if it cannot be used or there is none.
  private func mask(
    _ index: Int32, _ colors: LabelColors, _ image: ImageProbe?, _ size: ImageSize?, _ key: String,
    _ result: inout LabeledImage
  ) -> (values: VOCMaskReader.Values, file: String)? {
    guard index >= 0 else { return nil }
    let file = files[Int(index)]
    do throws(MaskProblem) {
      return (try masks.read(file, colors, image: image, size: size), file)
    } catch {
      result.issues.append(
        Issue(
          error.kind, .error, at: IssueLocation(file: error.file), sampleKey: key, error.message))
      return nil
    }
  }

  /// The size that an annotation states; `nil` if it states none.
  private func size(
    _ root: XMLElement, _ image: ImageProbe?, _ file: String, _ key: String,
    _ result: inout LabeledImage
  ) -> ImageSize? {
    let element = root.first("size")
    let texts = ["width", "height"].map { element?.text(of: $0) }
    let values = texts.compactMap { text in
      text.flatMap { DecimalNumber.value(of: $0) }.flatMap { Int(exactly: $0) }
    }
    if values.count == 2, values[0] > 0, values[1] > 0,
      let size = ImageSize.checked(width: values[0], height: values[1])
    {
      return size
    }
    if texts.contains(where: { $0 != nil }) {
      result.issues.append(
        Issue(
          .badField, .warning, at: IssueLocation(file: file, line: element?.line ?? root.line),
          sampleKey: key,
          "the stated size, \(texts[0] ?? "none") × \(texts[1] ?? "none"), is not the size of an "
            + "image; " + (image == nil ? "kept without a size" : "the image's size is used")))
    } else if image == nil {
      result.issues.append(
        Issue(
          .missingField, .warning, at: IssueLocation(file: file, line: root.line), sampleKey: key,
          "neither the annotation nor an image gives a size; kept without one"))
    }
    return nil
  }

  /// Reports an annotation whose `filename` is another image.
  private func noteName(
    _ root: XMLElement, _ item: VOCItem, _ file: String, _ key: String,
    _ counts: inout VOCCounts, _ result: inout LabeledImage
  ) {
    guard case .image(let index) = item.kind, let stated = root.text(of: "filename"),
      let name = StatedPath(stated)?.path
    else { return }
    let path = files[Int(index)]
    let own = path.split(separator: "/").last ?? ""
    let last = name.split(separator: "/").last ?? ""
    // `a.jpg` of `a.png`: the image was converted.
    guard last != own, SortedFiles.stem(of: String(last)) != SortedFiles.stem(of: path),
      last != SortedFiles.stem(of: path)
    else { return }
    let other = SortedFiles.join(SortedFiles.folder(of: path), last)
    if files.index(of: other) != nil {
      result.issues.append(
        Issue(
          .badField, .warning,
          at: IssueLocation(file: file, line: root.first("filename")?.line ?? root.line),
          sampleKey: key,
          "the annotation names \(last), which is another image; it has the name of \(own) and is "
            + "taken for it"))
    } else {
      counts.add(.otherName, file: file, line: root.line)
    }
  }
}

extension LabeledImage {
  /// Leaves the image out, for a reason.
  fileprivate mutating func reject(_ issue: Issue) {
    issues.append(issue)
    isRejected = true
  }
}
