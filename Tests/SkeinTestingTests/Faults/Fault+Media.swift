import Skein

extension Fault {
  static let media: [Fault] = [
    Fault(description: "The last byte is lost", caughtBy: ["A downloaded file"], flaws: [.downloadsLess]),
    Fault(
      description: "More is reported than there is", caughtBy: ["An upload reports"],
      progress: { progress, _ in
        progress = UploadProgress(token: progress.token, sent: progress.sent + 1, total: progress.total)
      }),
    Fault(
      description: "What the reporter throws is swallowed", caughtBy: ["An error thrown"],
      flaws: [.swallowsReporter]),
    Fault(
      description: "A token is not looked at", caughtBy: ["An interrupted upload"],
      token: { token, _ in token = nil }),
    Fault(
      description: "A token of nobody's is refused", caughtBy: ["An upload with"],
      flaws: [.refusesUnknownTokens]),
    Fault(
      description: "A file is for who uploaded it", caughtBy: ["The file of"],
      flaws: [.downloadsOnlyOwn]),
    Fault(
      description: "A failed download leaves a part", caughtBy: ["The download of"],
      flaws: [.leavesPartialFile]),
  ]

  static let session: [Fault] = [
    Fault(
      description: "The end of a session is a failure that may pass",
      caughtBy: ["Every call in", "A push channel"],
      error: { error, _ in if error.code == .unauthorized { error = error.with(.transient) } }),
    Fault(
      description: "The push channel ends without saying that the session did",
      caughtBy: ["A push channel"],
      flaws: [.swallowsTheEndOfRun]),
    Fault(
      description: "A refresh token is good for one time", caughtBy: ["A session whose"],
      flaws: [.renewsOnce]),
    Fault(
      description: "A renewal renews nothing", caughtBy: ["A session whose"], flaws: [.renewsNothing]),
    Fault(
      description: "A renewal of a session that has ended succeeds",
      caughtBy: ["A session that"],
      flaws: [.renewsForAll]),
    Fault(
      description: "A cursor is its session's own", caughtBy: ["An account that"],
      sync: { batch, memory in
        guard let from = batch.from else { return }
        if memory.with({ $0.cursors[from] }) != memory.device { batch.conversations = [] }
      }),
    Fault(
      description: "A server out of reach refuses for good", caughtBy: ["Calls to an"],
      error: { error, _ in if error.code == .unreachable { error = error.with(.permanent) } }),
    Fault(
      description: "Each batch is of another epoch", caughtBy: ["Stored messages survive"],
      sync: { batch, memory in batch.epoch = Epoch(rawValue: "\(memory.next())") }),
  ]

  static let all: [Fault] =
    sending + receiving + push + history + conversations + contacts + leaving + actions + replies
    + mentions + receipts + typing + readMarks + media + session
}
