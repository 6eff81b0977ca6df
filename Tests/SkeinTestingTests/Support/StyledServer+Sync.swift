import Foundation
import Skein

/// The state of a chain of syncs: its start and its end in the log, and the number of conversations already
/// returned.
private struct Cursor {
  var base: Int
  var until: Int?
  var skip = 0

  init(base: Int, until: Int? = nil, skip: Int = 0) {
    (self.base, self.until, self.skip) = (base, until, skip)
  }

  init(_ cursor: SyncCursor?, in epoch: Int) throws {
    let text = cursor?.rawValue ?? "\(epoch):0"
    guard text.hasPrefix("\(epoch):") else {
      throw BackendError(.cursorRejected, "The cursor is of another epoch.")
    }
    let parts = text.dropFirst("\(epoch):".count).split(separator: "-").map { Int($0) }
    switch (parts.count, parts.first ?? nil, parts.dropFirst().first ?? nil, parts.last ?? nil) {
    case (1, let base?, _, _): self.init(base: base)
    case (3, let base?, let until?, let skip?): self.init(base: base, until: until, skip: skip)
    default: throw BackendError(.cursorRejected, "This is no cursor.")
    }
  }

  func text(in epoch: Int) -> SyncCursor {
    SyncCursor(rawValue: "\(epoch):" + (until.map { "\(base)-\($0)-\(skip)" } ?? "\(base)"))
  }
}

extension StyledServer.State {
  func sync(
    since cursor: SyncCursor?, limit: Int, for user: UserID, on device: Int, _ style: ServerStyle, size: Int
  ) throws -> SyncBatch {
    let position = try Cursor(cursor, in: epoch)
    guard position.base <= log.count else { throw BackendError(.cursorRejected, "The cursor is ahead.") }
    var (first, until, next) = (position.base, position.until ?? log.count, position)
    if style.syncs == .archive {
      // The batch ends after the next `size` messages for this user.
      let places = (first..<log.count).filter { concerns($0, user) && log[$0].message != nil }
      until = places.dropFirst(size - 1).first.map { $0 + 1 } ?? log.count
    }
    let changed = rooms.indices.filter { room in
      (first..<until).contains { log[$0].room == room && concerns($0, user) }
    }
    let rooms = style.syncs == .archive ? changed[...] : changed.dropFirst(position.skip).prefix(size)
    let isLast = style.syncs == .archive || position.skip + rooms.count >= changed.count
    next = isLast ? Cursor(base: until) : Cursor(base: first, until: until, skip: position.skip + size)
    first = position.base
    return SyncBatch(
      from: cursor, next: next.text(in: epoch), epoch: Epoch(rawValue: "\(epoch)"),
      hasMore: !isLast || until < log.count && style.syncs == .archive,
      conversations: rooms.map { delta(of: $0, first..<until, max(limit, 1), for: user, on: device, style) },
      left: left(by: user, among: first..<until, hasContacts: style.abilities.contacts),
      invitations: invitations(of: user, among: first..<until),
      contactVersion: style.abilities.contacts ? contactVersion(of: user) : nil)
  }

  /// The place in the log up to which a device has synced.
  func place(of cursor: SyncCursor) throws -> Int { try Cursor(cursor, in: epoch).base }

  private func concerns(_ place: Int, _ user: UserID) -> Bool {
    let entry = log[place]
    return rooms[entry.room].members.contains(user) && (entry.user == nil || entry.user == user)
      && !isHidden(entry.room, from: user)
  }

  private func delta(
    of room: Int, _ places: Range<Int>, _ limit: Int, for user: UserID, on device: Int, _ style: ServerStyle
  ) -> ConversationDelta {
    let isShownAgain = rooms[room].shownAgain[user].map(places.contains) ?? false
    let first = isShownAgain ? 0 : places.lowerBound
    let new = (first..<places.upperBound).filter { log[$0].room == room && log[$0].message != nil }
    let kept = new.suffix(limit)
    let revised = Set(
      (first..<places.upperBound).filter { concerns($0, user) && log[$0].room == room }
        .compactMap { log[$0].revised }.filter { place in
          let message = shown(log[place], to: user, on: device, style)
          return !kept.contains(place) && (places.lowerBound > 0 || message?.flags.isEmpty == false)
        })
    let mark = rooms[room].marks[user] ?? 0
    let unread = log.compactMap { $0.room == room ? $0.message : nil }.filter {
      $0.sender != user && $0.isCountable != false && ($0.position?.rawValue ?? 0) > mark
    }
    let mentions = unread.count { $0.mentions?.include(user) == true }
    return ConversationDelta(
      info: info(room, for: user), count: kept.count < new.count && !style.statesCounts ? nil : new.count,
      unread: style.statesUnread ? unread.count : nil, unreadMentions: style.statesUnread ? mentions : nil,
      messages: kept.compactMap { shown(log[$0], to: user, on: device, style) },
      previous: style.pages == .positions ? nil : kept.first.map(Self.token),
      revised: revised.sorted().compactMap { shown(log[$0], to: user, on: device, style) })
  }
}
