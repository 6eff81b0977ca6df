extension Route {
  /// Every call of the protocol; the socket is in `Sockets/Endpoints+Socket`.
  static let all: [Route] = [
    .open("GET", "/v1/health", Endpoints.health),
    .open("POST", "/v1/accounts", Endpoints.createAccount),
    .open("POST", "/v1/sessions", Endpoints.signIn),
    .signedIn("DELETE", "/v1/sessions/current", Endpoints.signOut),
    .signedIn("GET", "/v1/me", Endpoints.profile),
    .signedIn("POST", "/v1/conversations", Endpoints.openConversation),
    .signedIn("GET", "/v1/conversations/{}", Endpoints.conversation),
    .signedIn("POST", "/v1/conversations/{}/read", Endpoints.markRead),
    .signedIn("POST", "/v1/conversations/{}/typing", Endpoints.noteTyping),
    .signedIn("POST", "/v1/conversations/{}/messages", Endpoints.postMessage),
    .signedIn("GET", "/v1/conversations/{}/messages", Endpoints.history),
    .signedIn("POST", "/v1/conversations/{}/revisions", Endpoints.reviseMessage),
    .signedIn("DELETE", "/v1/conversations/{}/membership", Endpoints.leaveConversation),
    .signedIn("GET", "/v1/contacts", Endpoints.contacts),
    .signedIn("POST", "/v1/contacts", Endpoints.putContact),
    .signedIn("DELETE", "/v1/contacts/{}", Endpoints.removeContact),
    .signedIn("GET", "/v1/sync", Endpoints.sync),
    .signedIn("POST", "/v1/deliveries", Endpoints.markDelivered),
    .signedIn("POST", "/v1/media", Endpoints.uploadMedia),
    .signedIn("GET", "/v1/media/{}", Endpoints.media),
    .signedIn("POST", "/v1/media/copies", Endpoints.copyMedia),
    .signedIn("POST", "/v1/uploads", Endpoints.beginUpload),
    .signedIn("GET", "/v1/uploads/{}", Endpoints.upload),
    .signedIn("PATCH", "/v1/uploads/{}", Endpoints.continueUpload),
  ]
}
