public import SkeinStorage

// The model's types do not depend on the database. With these conformances, the database stores the raw values.

extension UserID: ColumnValue {}
extension ConversationID: ColumnValue {}
extension ConversationRef: ColumnValue {}
extension LocalMessageID: ColumnValue {}
extension MessageID: ColumnValue {}
extension ServerMessageID: ColumnValue {}
extension SyncCursor: ColumnValue {}
extension Epoch: ColumnValue {}
extension HistoryToken: ColumnValue {}
extension UploadToken: ColumnValue {}
extension Position: ColumnValue {}
extension Rank: ColumnValue {}
extension Timestamp: ColumnValue {}
extension MessageKind: ColumnValue {}
extension ContactType: ColumnValue {}
extension ContactVersion: ColumnValue {}
extension Contact.ID: ColumnValue {}
extension BackendCapabilities.Settings: ColumnValue {}
