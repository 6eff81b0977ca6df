/// The contacts that one or more transactions changed or removed.
struct ContactChanges: Sendable {
  var changed: [Contact] = []
  var removed: [Contact.ID] = []
  var isEmpty: Bool { changed.isEmpty && removed.isEmpty }
}
