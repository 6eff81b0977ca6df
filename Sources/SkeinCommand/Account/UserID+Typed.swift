import Skein

extension UserID {
  /// The user with a typed name. If the account is on a Matrix homeserver, a name without a homeserver is one of the same
  /// homeserver.
  init(_ name: String, like account: UserID) {
    guard account.rawValue.hasPrefix("@"), let colon = account.rawValue.firstIndex(of: ":"),
      !name.contains(":")
    else {
      self.init(rawValue: name)
      return
    }
    self.init(rawValue: (name.hasPrefix("@") ? name : "@" + name) + account.rawValue[colon...])
  }
}
