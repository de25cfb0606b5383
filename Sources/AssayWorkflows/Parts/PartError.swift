import AssayCore
import AssayInference
import AssayRemote
package import AssayStore
import Foundation

/// The reasons why a part of a run was not made, or parts were not merged.
package enum PartError: Error {
  /// The folder for the parts, or the one for temporary files, cannot be written.
  case cannotWrite(path: String, reason: String, code: Int32)
  /// The folder with the parts cannot be read.
  case noFolder(path: String, reason: String)
  /// A part of another run is there.
  case otherPart(path: String, differences: [String])
  /// Parts of other work, or of another run, are in the folder.
  case otherParts(folder: String, names: [String], more: Int, differences: [String])
  /// An unusable file is there under the part's name.
  case unusable(path: String, PartFault)
  /// The process was asked to stop.
  case interrupted(Shard)
  /// There is no part in a folder.
  case noParts(String, PartWork)
  /// The parts in a folder are those of other work.
  case otherWork(folder: String, PartIdentity)
  /// The parts are not a complete set of one run; with one line per problem.
  case notWhole(folder: String, problems: [String])
  /// None of the tried images of a shard is there.
  case noImages(dataset: String, example: String, tried: Int)
  /// All samples failed.
  case allFailed(count: Int)
  /// The catalog has no such model, or another one of this name.
  case otherModel(String, catalog: String)
  /// The samples of the parts are not those of the catalog.
  case otherSamples(dataset: String, catalog: String, madeWith: String)
  /// The dataset was imported again, or its images are in another place, since the parts were made.
  case otherImport(dataset: String, folder: String, [String])
  /// The ground truth is not the one that the parts were made with.
  case otherTruth(dataset: String, folder: String, differences: [String], madeWith: String)
}

extension PartError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cannotWrite(let path, let reason, _): "\(path) cannot be written: \(reason)"
    case .noFolder(let path, let reason): "the folder \(path) cannot be read: \(reason)"
    case .otherPart(let path, let differences):
      "\(path) is a part of another run (it differs in \(differences.joined(separator: ", "))); choose"
        + " another --out, or remove the file"
    case .otherParts(let folder, let names, let more, let differences):
      "\(folder) has parts of another run: \(names.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "") (\(names.count == 1 ? "it differs" : "they differ") in"
        + " \(differences.joined(separator: ", "))); choose another --out, or remove these files"
    case .unusable(let path, let fault):
      "\(path) \(fault); remove the file and run the same command again"
    case .interrupted(let shard):
      "interrupted; nothing of the shard \(shard.text) is kept; run the same command again"
    case .noParts(let folder, let work):
      "\(folder) has no parts of a \(work.whole); assay \(work.rawValue) \(work.subject) --shard I/N --out"
        + " \(ShellWord.quoted(folder)) makes them"
    case .otherWork(let folder, let identity):
      if let work = identity.work, let command = identity.joining(folder) {
        "the parts in \(folder) are those of a \(work.whole), which \(command) joins"
      } else {
        "the parts in \(folder) were written by another version of assay"
      }
    case .notWhole(let folder, let problems):
      "the parts in \(folder) are not complete:\n" + problems.joined(separator: "\n")
    case .noImages(let dataset, let example, let tried):
      "none of \(Counted.text(tried, "image", "images")) of the shard that were tried is there, such as \(example); a part"
        + " of failures would be complete (moved? assay relink \(ShellWord.quoted(dataset)) DIR)"
    case .allFailed(let count):
      "prediction failed for all samples (\(count)) of the parts; assay status shows the first errors"
    case .otherModel(let name, let catalog):
      "\(catalog) has no model “\(name)” with the file and the manifest that the parts were made with; merge into"
        + " the catalog of the run, or add the model with assay model add"
    case .otherSamples(let dataset, let catalog, let madeWith):
      "the samples of the parts are not those of “\(dataset)” in \(catalog); the parts were made with"
        + " \(madeWith): name it with --db, or a copy of it"
    case .otherImport(let dataset, let folder, let names):
      "“\(dataset)” is not as it was when the parts in \(folder) were made (it differs in"
        + " \(names.joined(separator: ", "))); make them again in another folder"
    case .otherTruth(let dataset, let folder, let differences, let truth):
      "the ground truth of “\(dataset)” is not the one that the parts in \(folder) were made with (\(truth); it"
        + " differs in \(differences.joined(separator: ", "))); make them again in another folder\(PartTruth.isCorrected(truth) ? ", or add \(truth)" : "")"
    }
  }
}

extension PartWork {
  /// The words of a command for what is divided.
  fileprivate var subject: String {
    switch self {
    case .prediction: "VIEW --model M"
    case .check, .statistics: "VIEW"
    case .scan: "PATH"
    }
  }
}

extension PartIdentity {
  /// The command that joins the parts in a folder; `nil` for work that is unknown to this version of assay.
  package func joining(_ folder: String) -> String? {
    let folder = ShellWord.quoted(folder)
    let truth =
      fact(PartTruth.fact)?.text.flatMap { PartTruth.isCorrected($0) ? " " + $0 : nil } ?? ""
    switch work {
    case .prediction: return "assay merge \(folder) --name RUN"
    case .check: return "assay check \(folder)"
    case .statistics: return "assay stats \(folder) --out IMAGES" + truth
    case .scan:
      let links = fact("follow_links") == .bool(true) ? " --follow-links" : ""
      let source = fact("source")?.text.map(ShellWord.quoted) ?? "PATH"
      return "assay import \(source)\(links) --scan \(folder)"
    case nil: return nil
    }
  }
}

/// The words for the ground truth of parts: options of a command if it is a corrected one.
package enum PartTruth {
  static let fact = "truth"
  static let imported = "imported"

  /// - Parameter entry: the last entry of the corrections that are used; `nil` for the imported ground truth.
  package static func words(upTo entry: Int64?) -> String {
    entry.map { "--corrected --at \($0)" } ?? imported
  }

  static func isCorrected(_ words: String) -> Bool { words != imported }
}

extension PartFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .incomplete: "is no part, or its end is missing"
    case .changed: "is damaged: its bytes are not those that were written"
    case .otherSchema: "was written by another version of assay"
    case .inconsistent(let what): "is damaged: \(what)"
    }
  }
}

/// Failures after which the same command may succeed, on this machine or another one.
package enum TransientFailure {
  /// `EX_TEMPFAIL` of sysexits: batch systems that know it run the command again.
  package static let status: Int32 = 75

  /// Returns whether the same command may succeed later.
  package static func isOne(_ error: any Error) -> Bool {
    switch error {
    case is Interrupted: true
    case PartError.interrupted: true
    case PartError.cannotWrite(_, _, let code): isOne(code)
    case let error as FileFailure: isOne(error.code)
    case StoreError.busy: true
    case let error as RemoteError: error.isTransient
    // SQLITE_BUSY, LOCKED, NOMEM, INTERRUPT, IOERR, FULL.
    case StoreError.sqlite(let code, _, _): [5, 6, 7, 9, 10, 13].contains(code & 0xFF)
    case let error as SupervisedProcessError:
      switch error.reason {
      case .idle, .suspended: true
      case .time: false
      case .signal(let number, _, _): endings.contains(number)
      }
    case InferenceError.runnerFailed(_, _, _, let signal?): endings.contains(signal)
    default: false
    }
  }

  /// The signals that a person, a batch system or the kernel ends a process with; others are faults of the program.
  private static let endings: Set<Int32> = [SIGHUP, SIGINT, SIGKILL, SIGTERM]

  private static func isOne(_ code: Int32) -> Bool {
    [
      ENOSPC, EDQUOT, EFBIG, EIO, ESTALE, ETIMEDOUT, EAGAIN, EINTR, ENOMEM, EMFILE, ENFILE,
      EBUSY, ENOTCONN, EREMOTEIO,
    ].contains(code)
  }
}
