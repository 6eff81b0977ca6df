public import Skein

extension KindRegistry {
  /// The standard kinds and the kinds of this module: notice, contact, moment, like of a moment, comment on a
  /// moment, topic and invitation.
  public static let withCards: KindRegistry = {
    var kinds = KindRegistry.standard
    kinds.register(NoticeContent.self)
    kinds.register(ContactContent.self)
    kinds.register(MomentContent.self)
    kinds.register(MomentLikeContent.self)
    kinds.register(MomentCommentContent.self)
    kinds.register(TopicContent.self)
    kinds.register(InvitationContent.self)
    return kinds
  }()
}
