import Foundation
import Skein

/// The sentence that describes an error to the user.
enum ProblemText {
  static func of(_ error: any Error) -> String {
    switch error {
    case let error as UsageError: error.description
    case let error as ChatError: error.message
    case let error as BackendError: error.message
    case let error as SendFailure: error.message
    case let error as CocoaError: error.localizedDescription
    default: String(describing: error)
    }
  }
}
