import HomingSettings
import HomingTestKit
import Testing

/// A second program's table: it is read, checked and shown as the companion's is.
struct TableTests {
    /// The settings, or what is said of the files, without the folder's name.
    private func load(
        _ text: String, dropIns: [String: String] = [:]
    ) throws -> (root: RelayConfiguration?, said: [String]) {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "relay.conf")
        for (name, text) in dropIns { try folder.write(text, to: "relay.conf.d/\(name)") }
        switch RelayConfiguration.table.load(path: path, explicit: true) {
        case .success(let loaded): return (loaded.main, [])
        case .failure(let errors):
            let said = errors.diagnostics.map {
                $0.description.replacing("\(folder.path)/", with: "")
            }
            return (nil, said)
        }
    }

    @Test("what the file sets is in the root, and the rest has its default")
    func values() throws {
        var expected = RelayConfiguration()
        expected.listen.host = "::1"
        expected.log.level = .debug
        #expect(try load("[listen]\nhost = ::1\n[log]\nlevel = debug\n").root == expected)
        #expect(try load("").root == RelayConfiguration())
    }

    @Test("a section as a file has it holds what differs from the defaults, and is read back")
    func section() throws {
        var root = RelayConfiguration()
        root.listen.host = "::1"
        let text = RelayConfiguration.table.text(of: "listen", in: root)
        #expect(text == "[listen]\nhost = ::1\n")
        #expect(try load(text).root == root)
        #expect(RelayConfiguration.table.text(of: "log", in: root) == "[log]\n")
    }

    @Test("an unknown key and an unknown section are told with what was probably meant")
    func unknown() throws {
        let said = try load("[listen]\nhots = a\nlevel = info\ntoken = x\n[lgo]\n[queue]\n").said
        #expect(
            said == [
                "relay.conf:2: listen.hots: unknown key; did you mean \"host\"?",
                "relay.conf:3: listen.level: unknown key; it belongs in [log]",
                "relay.conf:4: listen.token: unknown key; secrets do not belong in this file, "
                    + "the relay asks for them",
                "relay.conf:5: [lgo]: unknown section; did you mean [log]?",
                "relay.conf:6: [queue]: unknown section; there are [listen] and [log]",
            ])
    }

    @Test("a broken rule is told of a key that was set, and not while one of its keys is refused")
    func rule() throws {
        let said = "one client could take all connections"
        #expect(
            try load("[listen]\nper_client = 101\n").said
                == ["relay.conf:2: listen.per_client: \(said)"])
        #expect(
            try load("[listen]\nconnections = 3\n").said
                == ["relay.conf:2: listen.connections: \(said)"])
        #expect(
            try load("[listen]\nconnections = 3\nper_client = 0\n").said
                == ["relay.conf:3: listen.per_client: 0 is out of range; allowed is 1 to 1000"])
    }

    @Test("a drop-in overrides single keys")
    func dropIn() throws {
        let root = try load(
            "[listen]\nhost = a\nconnections = 9\n",
            dropIns: ["10.conf": "[listen]\nhost = b\n"]
        ).root
        #expect(root?.listen.host == "b")
        #expect(root?.listen.connections == 9)
    }

    @Test("the example has every key with its default, commented out")
    func example() {
        #expect(
            RelayConfiguration.table.example() == """
                # Configuration of a relay.
                #
                # Every key has a default.

                # Who may connect.
                [listen]

                # Where it listens.
                # Allowed: a host name or an IP address.
                #host = localhost

                # How many at once.
                # Allowed: 1 to 1000.
                #connections = 100

                # How many for each client.
                # Allowed: 1 to 1000.
                #per_client = 4

                # The journal.
                [log]

                # How much is logged.
                # Allowed: info or debug.
                #level = info

                """)
    }
}
