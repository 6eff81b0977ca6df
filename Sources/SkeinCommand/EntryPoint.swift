import Foundation
import SkeinTerminal

/// The process's entry point.
@main
enum EntryPoint {
  private static let version = "0.1.0"

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    TerminationSignals.serve { exit(await run(words)) }
  }

  /// Runs the command given by the first word, and returns the exit status.
  private static func run(_ words: [String]) async -> Int32 {
    guard let name = words.first else {
      StandardOutput.write(Help.overview(of: Usage.commands))
      return 0
    }
    if ["--help", "-h", "help"].contains(name) {
      StandardOutput.write(Help.overview(of: Usage.commands))
      return 0
    }
    if name == "--version" {
      StandardOutput.write("skein \(version)\n")
      return 0
    }
    guard let usage = Usage.commands.first(where: { $0.name == name }) else {
      return fail("skein", UsageError("There is no command \(SafeText.line(name)); see skein --help."))
    }
    do {
      let arguments = try Arguments(Array(words.dropFirst()), of: usage)
      if arguments.isSet(.help) {
        StandardOutput.write(Help.text(of: usage))
        return 0
      }
      return try await usage.run(arguments)
    } catch {
      return fail("skein \(name)", error)
    }
  }

  private static func fail(_ name: String, _ error: any Error) -> Int32 {
    StandardOutput.writeError("\(name): \(SafeText.line(String(describing: error)))\n")
    return error is UsageError ? 2 : 1
  }
}

extension Usage {
  /// Every command, in the order of the help.
  static let commands = [
    ServeCommand.usage, ChatCommand.usage, WebCommand.usage, PagesCommand.usage, DemoCommand.usage,
    NetworkCommand.usage, SimulateCommand.usage, HuntCommand.usage, CrashesCommand.usage,
    KillsCommand.usage, ProcessesCommand.usage, ProxyCommand.usage, MeasureCommand.usage,
  ]
}
