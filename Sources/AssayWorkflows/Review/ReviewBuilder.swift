import AssayCore
package import AssayStore

/// Finds or creates the review for a request.
package struct ReviewBuilder {
  private let catalog: Catalog
  private let progress: any ProgressSink

  /// - Parameter catalog: a catalog opened for writing, with the ground truth to use.
  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// A review, and whether it is new.
  package struct Built: Sendable {
    package var review: ReviewRecord
    /// True if it existed before.
    package var isResumed: Bool
    /// Notes on default choices and on excluded samples, one sentence each.
    package var remarks: [String]
  }

  /// The review for a request: the existing one for the same request, otherwise a new one.
  ///
  /// Samples that are already done are not added to a new list.
  ///
  /// - Throws: ``ReviewError``; the errors of evaluating the runs; `StoreError`; ``Interrupted``.
  package func review(_ question: ReviewRequest) throws -> Built {
    if let kept = try keptReview(question) { return try resumed(kept, []) }
    let planning = ReviewPlanner(catalog: catalog)
    var subjects = try question.subjects.map { try planning.subject($0) }
    var question = question
    if subjects.isEmpty {
      let datasets = try catalog.datasets()
      guard datasets.count == 1, try catalog.reviews().isEmpty else {
        throw try planning.noSubject()
      }
      question.subjects = [datasets[0].name]
      subjects = [.view(try catalog.resolve(datasets[0].name))]
    }
    let plan = try planning.plan(question, subjects)
    let earlier = try catalog.reviews().filter(plan.matches).max { $0.id < $1.id }
    let named = try question.name.flatMap { try catalog.findReview(named: $0) }
    if !question.isFresh {
      if let named {
        guard plan.matches(named) else {
          throw ReviewError.nameTaken(named.name, subject: named.subject, order: named.order)
        }
        return try resumed(named, plan.remarks)
      }
      if let earlier, question.name == nil { return try resumed(earlier, plan.remarks) }
    }
    let name = try question.name ?? earlier?.name ?? freeName(for: plan)
    return try make(plan, named: name)
  }

  /// A review that is requested by its own name.
  private func keptReview(_ question: ReviewRequest) throws -> ReviewRecord? {
    let planning = ReviewPlanner(catalog: catalog)
    guard question.subjects.count <= 1, !question.isFresh else { return nil }
    var kept: ReviewRecord?
    if let subject = question.subjects.first {
      guard case .review(let review) = try planning.subject(subject) else { return nil }
      kept = review
    } else if let name = question.name {
      kept = try catalog.review(named: name)
    } else {
      let reviews = try catalog.reviews()
      kept = reviews.count == 1 ? reviews[0] : nil
    }
    if let kept, question.hasConditions {
      throw ReviewError.keptReview(kept.name, subject: kept.subject)
    }
    return kept
  }

  private func resumed(_ review: ReviewRecord, _ remarks: [String]) throws -> Built {
    var remarks = remarks
    if let page = review.page {
      try ReviewPlanner(catalog: catalog).check(page, review.dataset)
      if let stated = LabelingTask.stated(for: review.dataset), stated != page {
        remarks.append(
          "this list was made with --task \(page.rawValue), and \(review.dataset.name) was imported for "
            + "\(stated.rawValue) since")
      }
    }
    if let version = review.datasetVersion, version < review.dataset.importVersion {
      remarks.append(
        "\(review.dataset.name) was imported again since this list was made; --fresh rebuilds it")
    }
    return Built(review: review, isResumed: true, remarks: remarks)
  }

  private func make(_ plan: ReviewPlan, named name: String) throws -> Built {
    let page = try pageRemark(plan)
    let ranking = try ReviewRanker(catalog: catalog, progress: progress, plan: plan).ranking()
    var remarks = plan.remarks + page + ranking.remarks
    var leftOut = ranking.leftOut
    let reviewMarks = try catalog.reviewMarks(of: plan.dataset.id)
    let marks = reviewMarks.samples
    let open = ranking.samples.filter { sample in
      switch marks[sample.sample]?.status {
      case .done, .leftOut: false
      default: true
      }
    }
    let finished = ranking.samples.count - open.count
    if finished > 0 {
      leftOut.append(
        "\(finished) \(finished == 1 ? "sample that was" : "samples that were") already done")
    }
    guard !open.isEmpty else {
      var reasons = leftOut
      if let expression = plan.question.expression { reasons.append("--where \(expression)") }
      throw ReviewError.nothing(plan.question.subject, reasons: reasons)
    }
    remarks += leftOut.map { "left out: \($0)" }
    let sorted = RankedSample.sorted(open)
    var entries = sorted.prefix(plan.question.limit ?? .max).map {
      ReviewDraft.Entry(sample: $0.sample, score: $0.score, reason: $0.reason)
    }
    if let sharing = plan.question.sharing {
      entries = sharing.assigned(entries, seed: plan.question.seed)
      let shared = entries.count(where: \.isShared)
      if sharing.overlap > 0 {
        remarks.append(
          "\(shared) of \(entries.count) samples go to \(sharing.perSample.map { "\($0) of" } ?? "each of") "
            + "\(sharing.sharers.joined(separator: ", ")), who do not see each other's corrections (seed "
            + "\(plan.question.seed))")
      }
    }
    let review = try catalog.saveReview(
      ReviewDraft(
        name: name, dataset: plan.dataset.id, subject: plan.question.subject, order: plan.order,
        expression: plan.question.expression,
        settings: plan.settings(base: reviewMarks.sequence).text(),
        seed: plan.question.seed,
        entries: entries), replaces: true)
    return Built(review: review, isResumed: false, remarks: remarks)
  }

  /// Notes on the page of a review without runs, if its dataset has no classes.
  ///
  /// - Throws: ``ReviewError/noTask(dataset:classes:)`` if nobody has stated it.
  private func pageRemark(_ plan: ReviewPlan) throws -> [String] {
    let dataset = plan.dataset
    guard plan.runs.isEmpty else { return [] }
    let classes = try catalog.taxonomy(of: dataset.id).names
    guard classes.isEmpty else {
      guard try plan.question.task ?? LabelingTask.of(dataset, in: catalog) == nil else {
        return []
      }
      throw ReviewError.noTask(dataset: dataset.name, classes: classes)
    }
    let command = LabelingTask.command(
      toImport: dataset, classes: ["NAME", "NAME"], task: plan.question.task)
    return [
      "\(dataset.name) has no classes, so its images can be accepted or left out, but nothing can be labeled or drawn"
        + (command.map { "; to name classes: \($0)" } ?? "")
    ]
  }

  /// `SUBJECTS-ORDER`, or the first unused name of `SUBJECTS-ORDER-2`, ….
  private func freeName(for plan: ReviewPlan) throws -> String {
    let stem =
      String(
        plan.question.subjects.joined(separator: "-").map { letter in
          letter.isASCII && (letter.isLetter || letter.isNumber || "._-".contains(letter))
            ? letter : "-"
        }.prefix(60)) + "-\(plan.order.rawValue)"
    var name = stem
    var number = 1
    while try isTaken(name) {
      number += 1
      name = "\(stem)-\(number)"
    }
    return name
  }

  private func isTaken(_ name: String) throws -> Bool {
    if try catalog.findReview(named: name) != nil { return true }
    if try catalog.findRun(named: name) != nil { return true }
    if try catalog.findDataset(named: name) != nil { return true }
    return try catalog.views().contains { $0.name == name }
  }
}
