#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein
import SkeinStorage
import Synchronization

/// How a device receives changes.
enum Transport: String, CaseIterable, Sendable {
  /// By push, and by polling.
  case mixed
  /// By push; the device polls as rarely as the engine allows, and never while in the background.
  case pushOnly = "push only"
  /// By polling alone.
  case pollOnly = "poll only"
}

/// One device of a world: its folder, and its current process.
///
/// The device, its files, its link and its clock outlive its processes.
final class Device: Sendable {
  struct State {
    var process: SimulatedProcess?
    var client: ChatClient?
    var isStarted = false
    var isDiskFull = false
    var isUnreadable = false
    var isInBackground = false
    var underWay: [String] = []
    var tasks: [Task<Void, any Error>] = []
    var chats: [ConversationID: ChatContext] = [:]
    var clockOffset: Duration = .zero
    var cursor = 0
    var epoch: String?
    var readMarks: [Int64: Int64] = [:]
    var floors: [Int64: Int64] = [:]
    var generation = 0
    var powerCuts = 0
    /// The simulation's own connection to the database, kept while a process has the database open, and while
    /// ``connections`` are kept.
    var inspection: Inspection?
    /// The content of each chat, as seen when the device last paged through the whole chat.
    var histories: [ConversationID: ReadHistory] = [:]
  }
  /// The kinds of all devices of all worlds.
  private static let kinds = KindRegistry.standard.remembering(4096)
  let name: String
  let user: UserID
  let folder: URL
  let world: World
  let server: MemoryServer
  let link: Link
  let ledger: Ledger
  let record: StatusRecord
  let clears = ClearRecord()
  let settings = SettingsRecord()
  let transport: Transport
  let options: ChatOptions
  private let hasSocket: Bool
  /// Whether the device's clients have the participant ``Stamping``.
  private let isStamping: Bool
  let abilities: ServerAbilities
  let state = Mutex(State())
  /// Connections that outlive processes: most processes take over those of the process before.
  let connections = ConnectionShelf()
  private let keepsConnections: Bool

  init(
    _ name: String, of user: UserID, in folder: URL, link: Link, world: World, server: MemoryServer,
    ledger: Ledger, options: ChatOptions, transport: Transport, hasSocket: Bool, isStamping: Bool = false,
    keepsConnections: Bool = false, history: BackendCapabilities.HistoryAnchors,
    stored: BackendCapabilities.Settings = .all
  ) {
    self.name = name
    self.user = user
    self.folder = folder.appending(path: name)
    self.link = link
    self.world = world
    self.server = server
    record = StatusRecord(server: server)
    self.ledger = ledger
    self.options = options
    self.transport = transport
    self.hasSocket = hasSocket
    self.isStamping = isStamping
    self.keepsConnections = keepsConnections
    abilities = ServerAbilities(
      idempotency: server.promise, ordering: server.order.ordering, readMarks: true, media: true,
      rehosting: true,
      history: history, reordersHistory: server.order.reorders,
      contacts: true, settings: stored, leaving: true, actions: .all, replies: true,
      mentions: true, receipts: .all, typing: true, presence: true,
      pipelining: hasSocket, renewal: true)
  }

  var database: URL { folder.appending(path: "chat.sqlite") }
  var client: ChatClient? { state.withLock { $0.client } }
  var process: SimulatedProcess? { state.withLock { $0.process } }
  var isStarted: Bool { state.withLock { $0.isStarted } }
  var isDead: Bool { process?.isDead == true }
  /// Whether a call to the client is still running.
  var isBusy: Bool { state.withLock { !$0.underWay.isEmpty } }

  /// The current activity, for the table of faults.
  var activity: SimulatedActivity {
    let (process, client, isStarted) = state.withLock { ($0.process, $0.client, $0.isStarted) }
    if process == nil { return .stopped }
    if client == nil { return .opening }
    return isStarted ? link.activity : .stopped
  }

  func jumpClock(by offset: Duration) { state.withLock { $0.clockOffset += offset } }

  func setDiskFull(_ isFull: Bool) {
    let process = state.withLock { state in
      state.isDiskFull = isFull
      return state.process
    }
    process?.setDiskFull(isFull)
  }

  func setUnreadable(_ isUnreadable: Bool) {
    let process = state.withLock { state in
      state.isUnreadable = isUnreadable
      return state.process
    }
    process?.setUnreadable(isUnreadable)
  }

  /// Makes the disk full after `count` more statements of the process.
  func fillDisk(afterStatements count: Int) {
    // An error at the opening is expected from now on.
    state.withLock { $0.isDiskFull = true }
    process?.fillDisk(afterStatements: count)
  }

  // MARK: Processes

  /// Starts a process, and opens and starts the client in it. If `statements` is given, the process dies
  /// after that number of SQL statements.
  func open(dyingAfter statements: Int? = nil) {
    guard process == nil else { return }
    let process = SimulatedProcess(world)
    let (isFull, isUnreadable) = state.withLock { state in
      state.process = process
      state.generation += 1
      return (state.isDiskFull, state.isUnreadable)
    }
    process.setDiskFull(isFull)
    process.setUnreadable(isUnreadable)
    process.kill(afterStatements: statements)
    let runtime = runtime(of: process)
    let backend = LinkedBackend(
      user: user, server: server, link: link, process: process, ledger: ledger, clears: clears,
      abilities: abilities, isStored: { [self] in isStored($0) },
      storedUpload: { [self] in storedUpload(of: $0) }, isStamping: isStamping,
      socket: hasSocket ? LinkSocket(runtime) : nil)
    var options = options
    options.connections = connections
    if isStamping {
      options.sendParticipants = [Stamping(link: link, process: process, ledger: ledger)]
    }
    let task = runtime.spawn { [self, options] in
      do {
        let client = try await ChatClient.open(
          account: user, backend: backend, kinds: Self.kinds, runtime: runtime, options: options)
        guard !process.isDead else { return await client.close() }
        opened(client)
      } catch {
        if !process.isDead { failedToOpen(error) }
      }
    }
    state.withLock { $0.tasks.append(task) }
  }

  private func opened(_ client: ChatClient) {
    world.note("\(name) is open")
    let isInBackground = state.withLock { state in
      state.client = client
      return state.isInBackground
    }
    client.isInBackground = isInBackground
    checkStored()
    checkCopies()
    start()
  }

  /// Ends the process of a client that could not be opened, and reports the failure unless the disk is full or can't
  /// be read.
  private func failedToOpen(_ error: any Error) {
    world.note("\(name) does not open")
    connections.clear()
    let isExpected = state.withLock { state in
      state.process = nil
      state.inspection = nil
      return state.isDiskFull || state.isUnreadable
    }
    ledger.expect(isExpected, "P2", "\(name) does not open: \(error)")
  }

  /// Moves the app to the background or foreground; its next process starts in the same state.
  func setInBackground(_ isInBackground: Bool) {
    state.withLock { $0.isInBackground = isInBackground }
    client?.isInBackground = isInBackground
  }

  var isInBackground: Bool { state.withLock { $0.isInBackground } }

  func start() {
    guard let client else { return }
    state.withLock { $0.isStarted = true }
    client.start()
  }

  /// Stops the client, and leaves the client open.
  func stop() {
    state.withLock { $0.isStarted = false }
    perform("stop") { client in await client.stop() }
  }

  /// Closes the client and ends the process.
  func close() {
    guard let client else { return }
    let keepsConnections = handsOver
    if keepsConnections { connections.open() }
    state.withLock { state in
      state.client = nil
      state.isStarted = false
      state.chats = [:]
      // The connection that closes last empties the write-ahead log. This must be the client's connection.
      if !keepsConnections { state.inspection = nil }
    }
    guard let process else { return }
    let task = runtime(of: process).spawn { [self] in
      await client.close()
      guard !process.isDead else { return }
      if keepsConnections {
        try connections.emptyLog()
        PowerCut.forgetWrites(in: folder)
      }
      world.note("\(name) is closed")
      state.withLock { state in
        state.process = nil
        state.tasks = []
        // Calls that are still running end with an error, which nobody awaits.
        state.underWay = []
      }
      settings.died()
    }
    state.withLock { $0.tasks.append(task) }
  }

  /// Whether the next process takes over the connections of this process. Every fourth process does not, so that the
  /// next process recovers the write-ahead log after a kill, and opens a database without log after a close.
  var handsOver: Bool { keepsConnections && state.withLock { $0.generation % 4 != 0 } }

  /// Calls the client in its process.
  ///
  /// - Parameter name: The name of the call, reported if it never ends.
  func perform(_ name: String, _ body: @escaping @Sendable (ChatClient) async throws -> Void) {
    guard let client, let process else { return }
    state.withLock { $0.underWay.append(name) }
    let generation = state.withLock { $0.generation }
    let task = runtime(of: process).spawn { [self] in
      do {
        try await body(client)
        world.note("\(self.name) has done \(name)")
      } catch {
        if !process.isDead { world.note("\(self.name) receives \(type(of: error))") }
      }
      state.withLock { state in
        guard state.generation == generation, let index = state.underWay.firstIndex(of: name) else { return }
        state.underWay.remove(at: index)
      }
    }
    state.withLock { $0.tasks.append(task) }
  }

  /// One conversation's list, which is checked from the first use on.
  func chat(_ id: ConversationID) -> ChatContext? {
    guard let client, let process else { return nil }
    if let known = state.withLock({ $0.chats[id] }) { return known }
    let context = client.context(for: id)
    let watch = ListWatch(
      device: name, ledger: ledger, record: record, isDeduplicated: server.idempotency == .forever,
      isInOrder: !server.order.reorders, windowSize: options.windowSize)
    let task = runtime(of: process).spawn { await watch.follow(context) }
    state.withLock { state in
      state.chats[id] = context
      state.tasks.append(task)
    }
    return context
  }

  /// The lists that are being checked.
  var followed: [ChatContext] {
    state.withLock { state in state.chats.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }
  }

  /// The time of the device's clock.
  var wallTime: Timestamp { world.wallTime + state.withLock { $0.clockOffset } }

  func runtime(of process: SimulatedProcess) -> Runtime {
    var runtime = process.runtime(in: folder) { [self] in wallTime }
    // After a crash the installation is the same, although the simulation copies the device's folder.
    runtime.installation = name
    runtime.boot = "\(name)-\(state.withLock { $0.powerCuts })"
    return runtime
  }
}
