import Foundation
import Testing

@testable import SkeinCommand

@Suite("Command lines are parsed or refused with a reason")
struct ArgumentsTests {
  private static let port = Option(name: "port", value: "N", help: "A port.")
  private static let server = Option(name: "server", value: "URL", help: "A server.", isRequired: true)
  private static let json = Option(name: "json", value: nil, help: "JSON.")
  private static let usage = Usage(
    name: "test", summary: "Tests.", options: [port, server, json], run: { _ in 0 })

  private func read(_ words: String...) throws -> Arguments { try Arguments(words, of: Self.usage) }

  @Test("A value follows its option after a space or an equals sign, and the options come in any order")
  func values() throws {
    let arguments = try read("--json", "--port=80", "--server", "http://[::1]:8080")
    #expect(arguments.isSet(Self.json))
    #expect(try arguments.number(Self.port, in: 0...65535) == 80)
    #expect(try arguments.server(Self.server)?.port == 8080)
  }

  @Test("An absent option has no value")
  func absent() throws {
    let arguments = try read("--server", "http://localhost")
    #expect(!arguments.isSet(Self.json))
    #expect(try arguments.number(Self.port, in: 0...9) == nil)
    #expect(arguments.text(Self.port) == nil)
  }

  @Test(
    "An invalid or missing argument is refused, and the error says what is wrong",
    arguments: [
      (["--prot", "1"], "--prot"), (["stray"], "stray"), (["--port"], "--port needs a value"),
      (["--port", "--json"], "--port needs a value"), (["--json=yes"], "takes no value"),
      (["--json", "--json"], "twice"), (["--json"], "--server URL is missing"), ([""], "no option"),
    ])
  func refusals(words: [String], reason: String) {
    let error = #expect(throws: UsageError.self) { try Arguments(words, of: Self.usage) }
    #expect(error?.description.contains(reason) == true)
  }

  @Test(
    "A number must be valid and within its range",
    arguments: ["-1", "65536", "80x", "", "99999999999999999999"])
  func numbers(text: String) throws {
    let arguments = try read("--server", "http://localhost", "--port=\(text)")
    #expect(throws: UsageError.self) { try arguments.number(Self.port, in: 0...65535) }
  }

  @Test("An option for decimal numbers accepts a fraction within its range and refuses everything else")
  func decimals() throws {
    func read(_ text: String) throws -> Double? {
      try self.read("--server", "http://localhost", "--port=\(text)").decimal(Self.port, in: 0.001...24)
    }
    #expect(try read("0.5") == 0.5)
    #expect(try read("24") == 24)
    for text in ["0", "-1", "25", "nan", "inf", "1h", ""] {
      #expect(throws: UsageError.self) { try read(text) }
    }
  }

  @Test(
    "A server's address needs an HTTP scheme and a host",
    arguments: ["x", "http://", "ftp://a", "", "http:/a b"])
  func servers(text: String) throws {
    let arguments = try read("--server=\(text)")
    #expect(throws: UsageError.self) { try arguments.server(Self.server) }
  }

  @Test("A word of a choice gives the value of this word, and the error for another word lists all words")
  func choices() throws {
    let arguments = try read("--server", "http://localhost", "--port", "two")
    #expect(try arguments.choice(Self.port, of: [("one", 1), ("two", 2), ("three", 3)]) == 2)
    #expect(try arguments.choice(Self.json, of: [("one", 1)]) == nil)
    let error = #expect(throws: UsageError.self) {
      try arguments.choice(Self.port, of: [("one", 1), ("three", 3), ("four", 4)])
    }
    #expect(error?.description.contains("--port is one, three or four, not \"two\"") == true)
  }

  @Test("All missing options are named in one error")
  func missing() {
    let words = ["a", "b", "c"].map { Option(name: $0, value: "X", help: "One.", isRequired: true) }
    let usage = Usage(name: "test", summary: "Tests.", options: words, run: { _ in 0 })
    let error = #expect(throws: UsageError.self) { try Arguments([], of: usage) }
    #expect(error?.description == "--a X, --b X and --c X are missing; see skein test --help.")
  }

  @Test("Help needs no other option")
  func help() throws {
    #expect(try read("--help").isSet(.help))
    #expect(try read("-h").isSet(.help))
  }

  @Test("The help of every command fits 100 columns and names every option")
  func texts() {
    for usage in Usage.commands {
      let text = Help.text(of: usage)
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
      #expect(usage.options.allSatisfy { text.contains($0.spelling) })
    }
  }
}
