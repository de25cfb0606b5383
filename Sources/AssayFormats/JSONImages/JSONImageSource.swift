import AssayCore

/// The images of a ``JSONImagePlan``, for ``RegionImport``.
struct JSONImageSource<Format: JSONImageFormat>: RegionSource {
  let plan: JSONImagePlan<Format>

  var name: String { plan.tree.name }
  var items: [JSONImagePlan<Format>.Item] { plan.items }
  var classes: [Category] { plan.classes }
  var issues: [Issue] { plan.issues }
  var imagesLeftOut: Int { plan.imagesLeftOut }

  func path(of item: JSONImagePlan<Format>.Item) -> String { plan.path(of: item) }

  func split(of item: JSONImagePlan<Format>.Item) -> String? {
    item.split < 0 ? nil : plan.splits[Int(item.split)]
  }

  func read(_ item: JSONImagePlan<Format>.Item, image: ImageProbe?) -> LabeledImage {
    let key = path(of: item)
    if item.problem >= 0 {
      var result = LabeledImage()
      let problem = plan.problems[Int(item.problem)]
      result.annotationsRead = (try? value(of: item.element)).map(plan.format.count) ?? 0
      let objects =
        result.annotationsRead == 1 ? "its annotation" : "its \(result.annotationsRead) annotations"
      result.issues = [
        Issue(
          problem.kind, .error, at: location(of: item.element),
          problem.text + (result.annotationsRead == 0 ? "" : ", with \(objects)"))
      ]
      result.isRejected = true
      return result
    }
    var size: ImageSize?
    if case .success(let found)? = image?.size { size = found }
    let further = item.more < 0 ? [] : plan.repeats[Int(item.more)]
    if item.isPart, !further.isEmpty {
      return read([item.element] + further, key: key, size, isReadable: !isUnreadable(image))
    }
    var result = LabeledImage()
    for element in [item.element] + further {
      var reading = JSONImageReading(
        file: plan.files[Int(element.file)].path, pointer: element.pointer, key: key,
        imageSize: size)
      reading.result.statedSize = result.statedSize
      reading.result.label = result.label
      reading.result.attributes = result.attributes
      reading.result.regions = result.regions
      do {
        let value = try value(of: element)
        // Another problem with the image is reported by the import.
        if case .failure? = image?.size {
          reading.result.annotationsRead = plan.format.count(value)
          reading.result.isRejected = true
        } else {
          plan.format.read(value, into: &reading)
        }
      } catch let problem as JSONElementProblem {
        reading.result.issues.append(
          Issue(problem.kind, .error, at: location(of: element), sampleKey: key, problem.text))
        reading.result.isRejected = true
      } catch {
        reading.result.issues.append(
          Issue(
            .unsupportedFile, .error, at: location(of: element), sampleKey: key,
            "\(error); left out"))
        reading.result.isRejected = true
      }
      reading.result.issues = result.issues + reading.result.issues
      reading.result.annotationsRead += result.annotationsRead
      reading.result.isRejected = reading.result.isRejected || result.isRejected
      result = reading.result
    }
    return result
  }

  private func isUnreadable(_ image: ImageProbe?) -> Bool {
    if case .failure? = image?.size { true } else { false }
  }

  /// Reads the elements of several annotators.
  private func read(
    _ elements: [JSONElement], key: String, _ size: ImageSize?, isReadable: Bool
  ) -> LabeledImage {
    var parts: [(element: JSONValue, reading: JSONImageReading)] = []
    var issues: [Issue] = []
    for element in elements {
      do {
        parts.append(
          (
            try value(of: element),
            JSONImageReading(
              file: plan.files[Int(element.file)].path, pointer: element.pointer, key: key,
              imageSize: size)
          ))
      } catch let problem as JSONElementProblem {
        issues.append(
          Issue(problem.kind, .error, at: location(of: element), sampleKey: key, problem.text))
      } catch {
        issues.append(
          Issue(
            .unsupportedFile, .error, at: location(of: element), sampleKey: key,
            "\(error); left out"))
      }
    }
    var result = LabeledImage()
    // Another problem with the image is reported by the import.
    if parts.isEmpty || !isReadable {
      result.annotationsRead = parts.reduce(0) { $0 + plan.format.count($1.element) }
      result.isRejected = true
    } else {
      result = plan.format.read(parts).result
    }
    result.issues = issues + result.issues
    return result
  }

  private func location(of element: JSONElement) -> IssueLocation {
    IssueLocation(
      file: plan.files[Int(element.file)].path,
      pointer: element.pointer.isEmpty ? nil : element.pointer)
  }

  private func value(of element: JSONElement) throws -> JSONValue {
    let file = plan.files[Int(element.file)].path
    guard element.bytes.count <= JSONImagePlan<Format>.fileLimit else {
      throw JSONElementProblem(
        kind: .unsupportedFile,
        text: "the element is larger than \(JSONImagePlan<Format>.fileLimit >> 20) MiB; left out")
    }
    let bytes = try JSONElement.bytes(of: element.bytes, in: file, plan.tree)
    var reading = JSONReading()
    reading.takesNotFinite = true
    reading.shortened = plan.format.embedded
    do {
      return try JSONValue(parsing: bytes, reading)
    } catch {
      throw JSONElementProblem(error, from: element.bytes.lowerBound)
    }
  }
}
