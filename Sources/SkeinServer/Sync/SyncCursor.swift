import SkeinWire

/// The progress of a user's sync: the changes that the client has received, and the pages received within an unfinished
/// sync.
///
/// 1. Changes are numbered across the database, in commit order; the client has all changes up to `base`.
/// 2. The end of a sync, `until`, is fixed with the first page. So later changes can't make pages overlap.
/// 3. In the wire form, a checksum ties the cursor to one user and one epoch. The checksum guards against
///    mistakes and not against attacks, since a cursor grants no access.
struct SyncCursor: Sendable, Equatable {
  /// The progress within one sync.
  struct Page: Sendable, Equatable {
    /// The last change of this sync.
    let until: Int64
    /// The last conversation that this sync has processed; conversations are ordered by id. If a page has ended within a
    /// conversation, the id before that conversation's id.
    let after: ConversationID
    /// The change number of the last sent revision of the conversation whose id follows `after`; 0 if no page of this
    /// sync contains a part of that conversation.
    var revised: Int64 = 0
  }

  let base: Int64
  var page: Page?

  /// The start of a first sync.
  static let beginning = SyncCursor(base: 0)

  /// Returns the cursor in its wire form.
  func wire(user: Wire.UserID, epoch: Wire.Epoch) -> Wire.Cursor {
    var numbers = [base]
    if let page { numbers += [page.until, page.after.rawValue] + (page.revised > 0 ? [page.revised] : []) }
    let text = numbers.map(String.init).joined(separator: ".")
    return Wire.Cursor(rawValue: text + "-" + Self.checksum(text, user, epoch))
  }

  /// Converts the wire form; nil unless this database issued the cursor to this user in this epoch.
  init?(_ wire: Wire.Cursor, user: Wire.UserID, epoch: Wire.Epoch) {
    let parts = wire.rawValue.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1] == Self.checksum(String(parts[0]), user, epoch) else { return nil }
    let numbers = parts[0].split(separator: ".").compactMap { Int64($0) }.filter { $0 >= 0 }
    switch numbers.count {
    case 1: self.init(base: numbers[0])
    case 3...4 where numbers[0] <= numbers[1]:
      let revised = numbers.count == 4 ? numbers[3] : 0
      self.init(
        base: numbers[0],
        page: Page(until: numbers[1], after: ConversationID(rawValue: numbers[2]), revised: revised))
    default: return nil
    }
  }

  init(base: Int64, page: Page? = nil) {
    self.base = base
    self.page = page
  }

  private static func checksum(_ text: String, _ user: Wire.UserID, _ epoch: Wire.Epoch) -> String {
    Hexadecimal.text(Digest.short("\(user) \(text)", key: epoch.rawValue))
  }
}
