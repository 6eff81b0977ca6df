import Skein

extension Fault {
  static let media: [Fault] = [
    Fault(description: "The last byte is lost", caughtBy: ["A downloaded file"], flaws: [.downloadsLess]),
    Fault(
      description: "The reported progress exceeds the size", caughtBy: ["An upload reports"],
      progress: { progress, _ in
        progress = UploadProgress(token: progress.token, sent: progress.sent + 1, total: progress.total)
      }),
    Fault(
      description: "The reporter's error is swallowed", caughtBy: ["An error thrown"],
      flaws: [.swallowsReporter]),
    Fault(
      description: "The token is ignored", caughtBy: ["An interrupted upload"],
      token: { token, _ in token = nil }),
    Fault(
      description: "An unknown token is refused", caughtBy: ["An upload with"],
      flaws: [.refusesUnknownTokens]),
    Fault(
      description: "A file is available to its uploader only", caughtBy: ["The file of"],
      flaws: [.downloadsOnlyOwn]),
    Fault(
      description: "A failed download leaves a partial file", caughtBy: ["The download of"],
      flaws: [.leavesPartialFile]),
  ]

  static let rehosting: [Fault] = [
    Fault(
      description: "The type of a copied file is lost", caughtBy: ["A copied file"],
      flaws: [.losesTypeOfCopies])
  ]

  static let session: [Fault] = [
    Fault(
      description: "The end of a session is a temporary failure",
      caughtBy: ["Every call in", "A push channel"],
      error: { error, _ in if error.code == .unauthorized { error = error.with(.transient) } }),
    Fault(
      description: "The push channel does not report the end of its session",
      caughtBy: ["A push channel"],
      flaws: [.swallowsTheEndOfRun]),
    Fault(
      description: "A session can be renewed once only", caughtBy: ["A session whose"],
      flaws: [.renewsOnce]),
    Fault(
      description: "A renewal renews nothing", caughtBy: ["A session whose"], flaws: [.renewsNothing]),
    Fault(
      description: "A renewal of a session that has ended succeeds",
      caughtBy: ["A session that"],
      flaws: [.renewsForAll]),
    Fault(
      description: "A cursor is valid in its session only", caughtBy: ["An account that"],
      sync: { batch, memory in
        guard let from = batch.from else { return }
        if memory.with({ $0.cursors[from] }) != memory.device { batch.conversations = [] }
      }),
    Fault(
      description: "An unreachable server is a permanent failure", caughtBy: ["Calls to an"],
      error: { error, _ in if error.code == .unreachable { error = error.with(.permanent) } }),
    Fault(
      description: "Each batch names another epoch", caughtBy: ["Stored messages survive"],
      sync: { batch, memory in batch.epoch = Epoch(rawValue: "\(memory.next())") }),
  ]

  static let backups: [Fault] = [
    Fault(
      description: "A restored server keeps its epoch", caughtBy: ["A server restored from a backup names"],
      sync: { batch, _ in batch.epoch = Epoch(rawValue: "1") }),
    Fault(
      description: "A restored server remembers the ids of lost messages",
      caughtBy: ["A restored server has the messages"], flaws: [.remembersLostIDs]),
  ]

  static let all: [Fault] =
    sending + receiving + push + history + conversations + contacts + leaving + invitations
    + actions + replies + mentions + receipts + typing + readMarks + settings + media + rehosting + session
    + backups
}
