import Foundation
import SkeinModel
import SkeinTransport
import SkeinWire

/// One attempt to upload a file.
struct UploadRun {
  let calls: HTTPCalls
  let source: UploadSource
  let file: UploadFile
  /// The maximum size of one part, in bytes.
  let partSize: Int
  /// How often the server may correct the offset before the upload fails.
  private let maximumCorrections = 3

  init(calls: HTTPCalls, source: UploadSource, file: UploadFile, partSize: Int) {
    self.calls = calls
    self.source = source
    self.file = file
    self.partSize = partSize
  }

  /// Sends parts until the upload is complete, beginning at the server's offset.
  func run(resuming token: UploadToken?, _ report: UploadReporter) async throws -> RemoteMedia {
    var (state, isResumed) = try await start(resuming: token)
    var corrections = 0
    while state.media == nil {
      guard let id = state.upload, let offset = state.offset, (0..<source.size).contains(offset) else {
        throw BackendError.garbled
      }
      try await report(
        UploadProgress(token: UploadToken(rawValue: id.rawValue), sent: offset, total: source.size))
      try Task.checkCancellation()
      let part = file.part(at: offset, upTo: partSize)
      let answer = try await calls.upload(part, to: ["uploads", id.rawValue], at: offset)
      switch answer.status {
      case 409:
        // The server has a different number of bytes: another run of this account has continued the same
        // upload, or a part that an earlier run sent has arrived late.
        corrections += 1
        guard corrections <= maximumCorrections, let right = answer.refusal?.offset else {
          throw BackendError.garbled
        }
        state.offset = right
        // The other run may have completed the upload meanwhile, which then no longer exists.
        if right == source.size {
          (state, isResumed) = try await start(resuming: UploadToken(rawValue: id.rawValue))
        }
      case 404 where isResumed, 422 where isResumed:
        isResumed = false
        state = try await begin()
      case 404 where answer.refusal?.error.code == .notFound:
        // The account has more incomplete uploads than the server allows. The next attempt starts again.
        throw BackendError(.transient, "The server has removed the upload.")
      default:
        state = try reading(answer)
        guard state.media != nil || state.offset ?? 0 > offset else { throw BackendError.garbled }
      }
    }
    guard let media = state.media else { throw BackendError.garbled }
    try await report(UploadProgress(token: nil, sent: source.size, total: source.size))
    return RemoteMedia(media)
  }

  /// Resumes the upload that a token identifies. Starts a new upload if there is no token, or if the server
  /// refuses the token.
  private func start(resuming token: UploadToken?) async throws -> (state: Wire.Upload, isResumed: Bool) {
    // The server may answer with an incomplete upload of the same content by this account, so the new upload
    // counts as resumed.
    guard let token else { return (try await begin(), true) }
    do {
      return (try await known(Wire.UploadID(rawValue: token.rawValue)), true)
    } catch let error as BackendError where error.code == .permanent {
      return (try await begin(), false)
    }
  }

  private func known(_ id: Wire.UploadID) async throws -> Wire.Upload {
    try await calls.get(["uploads", id.rawValue], as: Wire.Upload.self)
  }

  private func begin() async throws -> Wire.Upload {
    try await calls.post(
      ["uploads"],
      Wire.UploadRequest(hash: Wire.MediaID(rawValue: source.hash), size: source.size, type: source.type),
      as: Wire.Upload.self)
  }

  private func reading(_ answer: TransportAnswer) throws -> Wire.Upload {
    let answer = try answer.success()
    return try HTTPCalls.reading { try Wire.decode(Wire.Upload.self, from: answer.body) }
  }
}

extension TransportAnswer {
  /// The body of a refusal; nil if it does not conform to the protocol.
  fileprivate var refusal: Wire.ErrorResponse? { try? Wire.decode(Wire.ErrorResponse.self, from: body) }
}
