package import AssayCore

/// A result of one of two kinds.
package enum EitherResult<First: CommandResult, Second: CommandResult>: CommandResult {
  case first(First)
  case second(Second)

  private var result: any CommandResult {
    switch self {
    case .first(let result): result
    case .second(let result): result
    }
  }

  package var json: JSONValue { result.json }

  package func text(in terminal: Terminal) -> String { result.text(in: terminal) }
}
