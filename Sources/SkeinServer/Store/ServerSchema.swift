import SkeinStorage

extension Schema {
  /// The reference server's database.
  static let server = Schema(
    version: 9,
    tables: [
      StoredMeta.table, StoredUser.table, StoredSession.table, StoredConversation.table, StoredMember.table,
      StoredMessage.table, StoredMedia.table, StoredMediaUpload.table, StoredMediaReference.table,
      StoredUpload.table, StoredContact.table, StoredRevision.table, StoredMention.table, StoredStar.table,
    ],
    migrations: [
      StoredUpload.migration, StoredMessage.migration, StoredContact.migration, StoredRevision.migration,
      StoredMessage.pins, StoredMessage.countability, StoredStar.migration,
      StoredMember.settings,
    ])
}
