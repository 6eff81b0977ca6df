/// The direction in which a window is extended.
enum PagingDirection: Sendable, Hashable {
  case older
  case newer
}
