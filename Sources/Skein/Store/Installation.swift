#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Distinguishes the database of this installation from a copy: a restored backup, a folder copied to another device.
///
/// A file beside the database holds a random name and the file's own number on its disk, which no copy has.
struct Installation: Codable, Equatable {
  let name: String
  let file: UInt64

  /// The name of the installation that owns a folder; a copied folder gets a new one.
  static func name(in runtime: Runtime) throws -> String {
    if let name = runtime.installation { return name }
    let file = runtime.directory.appending(path: "installation.json")
    if let data = try? Data(contentsOf: file), let known = try? JSONDecoder().decode(Self.self, from: data),
      known.file == (try number(of: file))
    {
      return known.name
    }
    // A process killed between these writes a new name at the next start: its database then counts as a copy, which
    // costs a lookup on the server and never a message.
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
