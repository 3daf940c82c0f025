import HomingConfiguration
import HomingRuntime
import HomingSettings
import HomingTestKit
import Testing

/// Bad configurations and what is said of them: `Golden/NAME.conf` (with `NAME.conf.d`), or bytes
/// that do not live well in a repository, and `Golden/NAME.expected`.
struct ConfigurationGoldenTests {
    static let folder = Golden.folder()

    static let names = names(ending: ".conf")

    /// Files that editors and version control would spoil.
    static let oddFiles: [(name: String, content: [UInt8])] = [
        ("bytes_byte_order_mark", [0xEF, 0xBB, 0xBF] + Array("[gpsd]\nport = 0\n".utf8)),
        ("bytes_utf16_little_endian", [0xFF, 0xFE] + utf16("[log]\nlevel = info\n", high: false)),
        ("bytes_utf16_big_endian", [0xFE, 0xFF] + utf16("[log]\nlevel = info\n", high: true)),
        ("bytes_utf16_without_mark", utf16("[log]\nlevel = info\n", high: false)),
        (
            "bytes_latin1",
            Array("[home_network]\nssid = Caf".utf8) + [0xE9, 0x0A] + Array("# ".utf8) + [0xFC]
        ),
        ("bytes_zero", Array("[log]\nlevel = info".utf8) + [0, 0x0A]),
        ("bytes_control", Array("[log]\nlevel = in\u{1B}[1mfo\n\u{0B}\nfoo\u{85} = 1\n".utf8)),
        ("bytes_lone_carriage_return", Array("[log]\rlevel = info\r".utf8)),
        ("bytes_crlf", Array("[log]\r\nlevel = loud\r\n".utf8)),
        ("bytes_too_large", [UInt8](repeating: 0x23, count: 10_000_000)),
        ("bytes_just_too_large", [UInt8](repeating: 0x0A, count: 1 << 20 | 1)),
    ]

    @Test("a bad configuration is explained as it was last time", arguments: names)
    func badFile(_ name: String) throws {
        let path = "\(Self.folder)/\(name).conf"
        let said = try explanation(path).replacing(path, with: "{FILE}")
        let difference = Golden.difference(said, from: "\(Self.folder)/\(name).expected")
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test("a file of odd bytes is explained as it was last time", arguments: oddFiles.indices)
    func oddFile(_ index: Int) throws {
        let (name, content) = Self.oddFiles[index]
        let folder = try TemporaryFolder()
        let path = try folder.write(content, to: "agent.conf")
        let said = try explanation(path).replacing(path, with: "{FILE}")
        let difference = Golden.difference(said, from: "\(Self.folder)/\(name).expected")
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test("there are at least thirty of them, and no expected text without its file")
    func complete() {
        let all = Set(Self.names + Self.oddFiles.map(\.name))
        #expect(all.count >= 30)
        #expect(Set(Self.names(ending: ".expected")) == all)
    }

    @Test("the comparison fails for another text, and for a missing file, and says how to update")
    func comparisonCanFail() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("one\ntwo\n", to: "x.expected")
        #expect(Golden.difference("one\ntwo\n", from: path, updating: false) == nil)
        let changed = try #require(Golden.difference("one\nthree\n", from: path, updating: false))
        #expect(changed.contains(#"x.expected:2: expected "two", got "three""#))
        #expect(changed.contains("HOMING_UPDATE_GOLDEN=1"))
        #expect(Golden.difference("one\ntwo\n", from: path + "x", updating: false) != nil)
        #expect(Golden.difference("new\n", from: path, updating: true) == nil)
        #expect(Golden.difference("new\n", from: path, updating: false) == nil)
    }

    private func explanation(_ path: String) throws -> String {
        switch Configuration.table.load(path: path, explicit: true) {
        case .success(let loaded):
            (loaded.notes.map { "note: \($0)\n" } + ["nothing is wrong\n"]).joined()
        case .failure(let errors): errors.description + "\n"
        }
    }

    private static func utf16(_ text: String, high: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return high ? bytes.reversed() : bytes
        }
    }

    private static func names(ending suffix: String) -> [String] {
        ((try? Folders.names(in: folder)) ?? []).filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }
    }
}
