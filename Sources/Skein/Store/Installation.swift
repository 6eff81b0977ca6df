#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Distinguishes this installation's database from a copy, such as a restored backup or a folder copied
/// elsewhere.
///
/// A file beside the database stores a random name and its own file number (inode). A copied file has another
/// number.
struct Installation: Codable, Equatable {
  let name: String
  let file: UInt64

  /// The name of the installation that owns the runtime's folder.
  ///
  /// 1. If the app has an id of its own (``Runtime/installation``), this id is the name.
  /// 2. If the file is present, readable and not copied, the name in the file is used.
  /// 3. In all other cases, a new name is stored in the file.
  static func name(in runtime: Runtime) throws -> String {
    if let name = runtime.installation { return name }
    let file = runtime.directory.appending(path: "installation.json")
    if let data = try? Data(contentsOf: file), let known = try? JSONDecoder().decode(Self.self, from: data),
      known.file == (try number(of: file))
    {
      return known.name
    }
    // If the process is killed between these steps, the next start writes a new name. An existing database
    // then counts as a copy. The outbox posts each waiting message again, looks it up on the server or marks
    // it as uncertain. No message is lost.
    try? FileManager.default.removeItem(at: file)
    try Data().write(to: file)
    let new = Installation(name: runtime.makeIdentifier(), file: try number(of: file))
    try JSONEncoder().encode(new).write(to: file)
    return new.name
  }

  private static func number(of file: URL) throws -> UInt64 {
    try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? UInt64 ?? 0
  }
}
