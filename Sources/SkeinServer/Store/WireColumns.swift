// Values of these wire types are stored as they are.
public import SkeinStorage
public import SkeinWire

extension Wire.UserID: ColumnValue {}
extension Wire.MessageID: ColumnValue {}
extension Wire.MediaID: ColumnValue {}
extension Wire.UploadID: ColumnValue {}
extension Wire.Epoch: ColumnValue {}
extension Wire.ConversationKind: ColumnValue {}
