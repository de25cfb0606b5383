import AssayCore
import AssayStore
import AssayWorkflows

extension SaveRequest {
  /// Returns the change that the service is to make.
  ///
  /// - Throws: ``RequestRefusal`` if members contradict each other.
  func change() throws(RequestRefusal) -> CorrectionSave.Change {
    switch kind {
    case .label:
      if let target, target != .label {
        return .category(target: target, try named(category, "category"))
      }
      return .label(try named(category, "category"))
    case .mask:
      guard let mask else { throw missing("counts") }
      switch target {
      case nil: return region(try named(category, "category"), mask)
      case .region(_, let category)?: return region(category, mask)
      case let target?: return .object(target: target, after: mask, emptied: isEmpty)
      }
    case .add where target == .label: return .addLabel(try named(category, "category"))
    case .outline:
      guard let target, let outline else { throw missing("box") }
      return .outline(target: target, outline)
    case .attributes:
      guard let target, let attributes else { throw missing("attributes") }
      return .attributes(target: target, attributes)
    case .add:
      let category = try named(category, "category")
      if let outline { return .draw(category: category, outline, fields: attributes ?? []) }
      guard let mask else { throw missing("counts") }
      return .add(category: category, mask, fields: attributes ?? [])
    case .remove where target == .label: return .removeLabel(try named(category, "category"))
    case .remove:
      guard let target else { throw missing("target") }
      return .remove(target: target)
    case .category:
      guard let target else { throw missing("target") }
      return .category(target: target, try named(category, "category"))
    case .accept: return .accept
    case .take:
      return .take(
        run: try named(run, "run"), category: category, smallestShare: smallestShare,
        dropsMasks: isConfirmed)
    case .reject: return .reject(try named(reason, "reason"))
    case .unsure: return .unsure
    case .bad: return .bad(reason)
    case .skip: return .skip
    case .note: return .note
    case .undo: return .undo(entry)
    case .redo: return .redo(entry)
    case .agree: throw missing("versions")
    case .keep:
      return .keep(
        conflict: try named(conflict, "conflict"), kept ?? .this)
    }
  }

  private func region(_ category: String, _ mask: Mask) -> CorrectionSave.Change {
    .region(
      category: category, after: mask, emptied: isEmpty,
      parts: instanceArea.map { .from(area: $0) } ?? .each)
  }

  private func missing(_ member: String) -> RequestRefusal {
    .badRequest(code: "incomplete", "\(member) is missing")
  }

  private func named(_ value: String?, _ member: String) throws(RequestRefusal) -> String {
    guard let value else { throw missing(member) }
    return value
  }
}

extension RequestRefusal {
  /// Creates a refusal with the reason why the service did not save, and a code for programs.
  init(_ error: CorrectionError) {
    let text = "\(error)"
    switch error {
    case .otherLedger: self = .conflict(code: "otherLedger", text)
    case .unknownParent: self = .conflict(code: "unknownParent", text)
    case .ledger(.unknownParent): self = .conflict(code: "unknownParent", text)
    case .ledger(.uuidTaken): self = .conflict(code: "uuidTaken", text)
    case .ledger(.badEntry): self = .badRequest(code: "badEntry", text)
    case .ledger(let ledger): self = .unsaved(code: ledger.code, text)
    case .catalog(.busy): self = .unsaved(code: "busy", text)
    case .catalog(.cannotOpen), .catalog(.noCatalog): self = .unsaved(code: "noCatalog", text)
    case .catalog(.unknownName), .catalog(.unknownEvaluation):
      self = .badRequest(code: "unknownRun", text)
    case .catalog, .other: self = .failed(code: "failed", text)
    case .unknownSample: self = .notFound(text)
    default: self = .badRequest(code: error.code, text)
    }
  }
}

extension LedgerError {
  fileprivate var code: String {
    switch self {
    case .diskFull: "diskFull"
    case .notWritable: "notWritable"
    case .busy: "busy"
    case .damaged: "damaged"
    default: "ledger"
    }
  }
}

extension CorrectionError {
  fileprivate var code: String {
    switch self {
    case .emptyUnsaid: "emptyUnsaid"
    case .emptyObject, .outlineOutside: "emptyObject"
    case .otherShape: "otherShape"
    case .badField: "badField"
    case .unknownCategory: "unknownCategory"
    case .wrongSize: "wrongSize"
    case .noSize: "noSize"
    case .unknownObject: "unknownObject"
    case .unknownEntry: "unknownEntry"
    case .nothingToUndo: "nothingToUndo"
    case .nothingToRedo: "nothingToRedo"
    case .noConflict: "noConflict"
    case .cannotMerge: "cannotMerge"
    case .noPrediction, .otherDataset: "noPrediction"
    case .takeLoses: "takeLoses"
    case .picture: "imageUnreadable"
    default: "refused"
    }
  }
}
