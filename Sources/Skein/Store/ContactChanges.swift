/// The changes of one transaction in the contact list.
struct ContactChanges: Sendable {
  var changed: [Contact] = []
  var removed: [Contact.ID] = []
  var isEmpty: Bool { changed.isEmpty && removed.isEmpty }
}
