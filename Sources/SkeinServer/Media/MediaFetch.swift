import CTransfers
import SkeinWire

/// Downloads a third party's file without giving the client access to this server's network.
///
/// 1. Every address is checked when the server connects to it. So neither a redirect nor a host name with a
///    changed address leads to a forbidden address.
/// 2. Every failed download gives the same error, which reveals nothing about the addresses tried. Only a file that
///    can't be written gives another error.
struct MediaFetch: Sendable {
  /// A downloaded file.
  struct Answer: Sendable {
    let id: Wire.MediaID
    let size: Int64
    let type: String
  }

  /// Decides whether the server may connect to an address.
  let allows: @Sendable (InternetAddress) -> Bool
  /// The maximum size of the file in bytes.
  let limit: Int
  let seconds: Int

  /// Downloads into a new file; blocks the thread until the download ends.
  ///
  /// Throws a 422 if the download fails or the file's type is not recognized, and a `StorageError` if the
  /// file can't be written.
  func fetch(_ url: String, to path: String) throws -> Answer {
    let file = try FileDescriptor(creating: path)
    defer { file.closeFile() }
    let receiver = Receiver(file, self)
    let isWhole = url.withCString { url in
      var request = cfetch_request()
      request.url = url
      request.owner = Unmanaged.passUnretained(receiver).toOpaque()
      request.allows = { owner, address in
        guard let owner, let address else { return 0 }
        return Unmanaged<Receiver>.fromOpaque(owner).takeUnretainedValue().allows(address) ? 1 : 0
      }
      request.receive = { owner, bytes, length in
        guard let owner, let bytes else { return 0 }
        let piece = Array(UnsafeBufferPointer(start: bytes, count: length))
        return Unmanaged<Receiver>.fromOpaque(owner).takeUnretainedValue().receive(piece) ? 1 : 0
      }
      request.maximum_size = Int64(limit)
      request.seconds = seconds
      request.redirections = 3
      return withExtendedLifetime(receiver) { cfetch_run(&request) == 1 }
    }
    if let failure = receiver.failure { throw failure }
    guard isWhole, !receiver.isRefused, let type = MediaSignature.type(of: receiver.head) else {
      throw Refusal.notCopied
    }
    try file.synchronize()
    return Answer(id: receiver.finish(), size: Int64(receiver.size), type: type)
  }
}

/// The state of one download, used only by the thread that runs the download.
private final class Receiver {
  private let file: FileDescriptor
  private let rules: MediaFetch
  private var hash = RunningSHA256()
  private(set) var size = 0
  private(set) var head: [UInt8] = []
  private(set) var failure: (any Error)?
  private(set) var isRefused = false

  init(_ file: FileDescriptor, _ rules: MediaFetch) {
    self.file = file
    self.rules = rules
  }

  func allows(_ address: UnsafePointer<sockaddr>) -> Bool {
    // After one refused address, no other address is tried.
    guard !isRefused, let address = InternetAddress(address), rules.allows(address) else {
      isRefused = true
      return false
    }
    return true
  }

  /// Writes the next bytes. Returns false if there are too many bytes, if files of this type are not copied,
  /// or if writing fails.
  func receive(_ bytes: [UInt8]) -> Bool {
    size += bytes.count
    guard size <= rules.limit else { return false }
    if head.count < MediaSignature.length {
      head += bytes.prefix(MediaSignature.length - head.count)
      if head.count == MediaSignature.length, MediaSignature.type(of: head) == nil { return false }
    }
    do {
      try file.append(bytes)
    } catch {
      failure = error
      return false
    }
    hash.update(bytes)
    return true
  }

  func finish() -> Wire.MediaID { Wire.MediaID(rawValue: Hexadecimal.text(hash.finish())) }
}

extension Refusal {
  static let notCopied = Refusal(
    status: 422, code: .notCopied,
    message: "There is no picture, sound or film at this address that can be copied.")
}
