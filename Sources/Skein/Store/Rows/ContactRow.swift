import SkeinStorage

/// The stored form of a contact.
///
/// The row of a removed contact stays, so that late changes do not restore its conversation.
struct ContactRow: Mapped, Equatable {
  let id: Contact.ID
  var type: ContactType
  var name: String
  var remark: String?
  var avatar: String?
  var isMuted: Bool?
  var isPinned: Bool?
  /// The time when this device learned that the contact was removed or the group was left. Nil while the
  /// contact list contains the contact.
  var removed: Timestamp?
  /// The change counter at the last change of the contact.
  var version: Int64 = 0

  static let table = Table(
    "contact", key: ["id"], clusteredBy: ["id"],
    Self.init, Column("id", \.id), Column("type", \.type), Column("name", \.name),
    Column("remark", \.remark), Column("avatar", \.avatar), Column("is_muted", \.isMuted),
    Column("is_pinned", \.isPinned), Column("removed", \.removed),
    Column("version", \.version))

  var settings: ContactSettings? {
    isMuted.map { ContactSettings(isMuted: $0, isPinned: isPinned ?? false) }
  }

  /// The public value.
  var contact: Contact {
    Contact(id: id, type: type, name: name, remark: remark, avatar: avatar, settings: settings)
  }
}

extension ContactRow {
  init(_ contact: Contact) {
    self.init(
      id: contact.id, type: contact.type, name: contact.name, remark: contact.remark,
      avatar: contact.avatar, isMuted: contact.settings?.isMuted, isPinned: contact.settings?.isPinned,
      removed: nil)
  }

  /// A removed contact about which this device knows nothing else.
  init(removed id: Contact.ID, at time: Timestamp) {
    let type: ContactType = if case .user = id { .friend } else { .group }
    self.init(
      id: id, type: type, name: "", remark: nil, avatar: nil, isMuted: nil, isPinned: nil, removed: time)
  }
}
