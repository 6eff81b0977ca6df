import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The settings of the terminal at the standard input.
enum TerminalSettings {
  /// The settings before the change; nil if nothing is to be restored.
  private static let original = Mutex<termios?>(nil)

  /// Delivers each key at once and without an echo; Ctrl-C still sends SIGINT. If a signal ends the process
  /// at once, the settings are restored.
  static func deliverKeys() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    original.withLock { $0 = settings }
    TerminationSignals.atEnd { restore() }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Restores the settings before the change.
  static func restore() {
    guard var settings = original.withLock({ $0 }) else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }
}
