extension SendState {
  /// The final state of a row; nil while its message is still to be sent.
  init?(endOf row: MessageRow) { self.init(endOf: row.status, row.failure) }

  init?(endOf status: MessageStatus, _ failure: SendFailure?) {
    let failure = failure ?? SendFailure(.refused, "The message was not sent.")
    switch status {
    case .sent: self = .sent
    case .failed: self = .failed(failure)
    case .uncertain: self = .uncertain(failure)
    case .queued, .sending: return nil
    }
  }
}
