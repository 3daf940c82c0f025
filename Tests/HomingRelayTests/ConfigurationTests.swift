import Glibc
import HomingRelayProtocol
import HomingRuntime
import HomingServer
import HomingSettings
import HomingTestKit
import HomingValkey
import Testing

@testable import HomingRelay

@Suite("The relay's configuration")
struct ConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func load(_ text: String) throws -> Result<RelayConfiguration, SettingsErrors> {
        let path = try folder.write(text, to: "relay.conf")
        return RelayConfiguration.table.load(path: path, explicit: true).map(\.main)
    }

    private func errors(_ text: String) throws -> [String] {
        guard case .failure(let errors) = try load(text) else { return [] }
        return errors.diagnostics.map { "\($0.key ?? ""): \($0.message)" }
    }

    /// A key that others may not read.
    private func key() throws -> String {
        let path = try folder.write("key", to: "key.pem")
        chmod(path, 0o600)
        return path
    }

    @Test("wants address, certificate and key of TLS together")
    func tls() throws {
        let certificate = try folder.write("certificate", to: "fullchain.pem")
        let whole = "[listen]\ntls_address = [::]:443\ntls_certificate = \(certificate)\n"
        let key = try key()
        #expect(try load("\(whole)tls_key = \(key)").get().listen.tlsKey == key)
        #expect(try errors(whole).first?.contains("needs tls_key too") == true)
        let address = try errors("[listen]\ntls_certificate = \(certificate)")
        #expect(address.first?.contains("needs tls_address too") == true)
        chmod(key, 0o644)
        #expect(try errors("\(whole)tls_key = \(key)").first?.contains("chmod 600") == true)
    }

    @Test("is all defaults where the files say nothing, or what the example says")
    func defaults() throws {
        let example = RelayConfiguration.table.example()
        #expect(try load("").get() == RelayConfiguration())
        #expect(try load(example).get() == RelayConfiguration())
        let lines = example.split(separator: "\n", omittingEmptySubsequences: false)
        let isKey = { (line: Substring) in
            line.first == "#" && line.dropFirst().first?.isLetter == true
        }
        let switchedOn = lines.map { isKey($0) ? $0.dropFirst() : $0 }.joined(separator: "\n")
        #expect(try load(switchedOn).get() == RelayConfiguration())
        #expect(lines.count(where: isKey) == 31)
        #expect(lines.allSatisfy { $0.count <= 80 })
        for key in RelayConfiguration.table.sections.flatMap(\.keys) {
            #expect(key.documentation.hasSuffix("."), "\(key.name)")
        }
    }

    @Test("reads every key")
    func everything() throws {
        let configuration = try load(
            """
            [listen]
            address = 0.0.0.0:80;[::1]:81;unix:/run/homing-relay/http.sock
            tls_address = [::]:443
            tls_certificate = \(try folder.write("certificate", to: "fullchain.pem"))
            tls_key = \(try key())
            metrics = 127.0.0.1:8766;unix:/run/homing-relay/metrics.sock
            trusted_proxies = 10.0.0.0/8;unix
            public_url = https://relay.example.org/homing
            [join]
            mode = open
            code_life = 3600
            name = The relay
            [limits]
            maximum = 0
            commands = 7
            burst = 11
            messages = 8
            mailbox_kib = 256
            memory = 3
            connections = 100
            per_address = 9
            [store]
            path = /srv/mailboxes.db
            max_size = 5
            mailboxes = 6
            [keys]
            file = /etc/homing/relay.keys
            [log]
            level = debug
            """
        ).get()
        #expect(
            configuration.listen.addresses == [
                .tcp("0.0.0.0", port: 80), .tcp("::1", port: 81),
                .unix("/run/homing-relay/http.sock"),
            ])
        #expect(configuration.listen.tlsAddresses == [.tcp("::", port: 443)])
        #expect(configuration.listen.tlsCertificate?.hasSuffix("/fullchain.pem") == true)
        #expect(configuration.listen.tlsKey?.hasSuffix("/key.pem") == true)
        #expect(
            configuration.listen.metrics == [
                .tcp("127.0.0.1", port: 8766), .unix("/run/homing-relay/metrics.sock"),
            ])
        #expect(configuration.limits.burst == 11 && configuration.listen.proxies.count == 2)
        #expect(configuration.listen.publicURL == "https://relay.example.org/homing")
        #expect(configuration.join.mode == .open && configuration.join.codeLife == 3600)
        #expect(configuration.join.name == "The relay" && configuration.log.level == .debug)
        var limits = StoreLimits()
        (limits.maximum, limits.commands, limits.messages) = (0, 7, 8)
        (limits.mailboxBytes, limits.bytes, limits.mailboxes) = (256 << 10, 5 << 20, 6)
        #expect(configuration.storeLimits == limits)
        let server = configuration.serverLimits
        #expect([server.connections, server.perAddress, server.buffered] == [100, 9, 3 << 20])
        #expect(configuration.storePath(in: "/var/lib/homing-relay") == "/srv/mailboxes.db")
        #expect(
            RelayConfiguration().storePath(in: "/var/lib/homing-relay")
                == "/var/lib/homing-relay/mailboxes.db")
    }

    @Test("reads where an engine is, and the file with the password")
    func engine() throws {
        let configuration = try load(
            """
            [store]
            engine = valkey
            url = rediss://a.example;rediss://[::1]:7000
            user = relay
            password_file = \(folder.file("password"))
            replicas = 2
            """
        ).get()
        #expect(configuration.store.engine == .valkey && configuration.store.replicas == 2)
        let missing = try thrown(StoreFailure.self) { try EngineSettings(configuration.store) }
        #expect(missing?.kind == .unfit && missing?.description.contains("password") == true)
        try folder.write("wombat\n", to: "password")
        #expect(chmod(folder.file("password"), 0o644) == 0)
        let open = try thrown(StoreFailure.self) { try EngineSettings(configuration.store) }
        #expect(open?.description.contains("chmod 600") == true)
        #expect(chmod(folder.file("password"), 0o600) == 0)
        let settings = try EngineSettings(configuration.store)
        #expect(settings.password == "wombat" && settings.user == "relay")
        #expect(settings.seeds.map(\.description) == ["a.example:6379", "[::1]:7000"])
        #expect(settings.seeds.filter(\.isSecure).count == 2)
        var store = configuration.store
        store.passwordFile = nil
        let nameless = try thrown(StoreFailure.self) {
            try EngineSettings(store, credentials: [folder.path])
        }
        #expect(nameless?.description.contains("add password_file") == true)
        try folder.write("wombat\n", to: EngineSettings.credentialName)
        #expect(chmod(folder.file(EngineSettings.credentialName), 0o400) == 0)
        let credential = try EngineSettings(store, credentials: ["/nowhere", folder.path])
        #expect(credential.password == "wombat")
    }

    @Test(
        "says what is wrong, and what is allowed",
        arguments: [
            ("[store]\nengine = valkey", "add url = redis://HOST:PORT"),
            ("[store]\nurl = redis://a.example", "add engine = valkey"),
            ("[store]\nengine = valkey\nurl = a.example", "is no address of an engine"),
            ("[store]\nengine = valkey\nurl = redis://a:1;rediss://b:1", "write all of them alike"),
            ("[forward]\nurl = http://far.example", "is not confidential; write https://HOST"),
            ("[forward]\nurl = far", "is no address of a relay; write https://HOST"),
            ("[forward]\nurl = https://a@far.example", "is no address of a relay"),
            ("[forward]\nurl = https://far.example/v1", "leave out /v1 and what follows"),
            (
                "[forward]\nurl = https://a\n[store]\nengine = valkey\nurl = redis://a:1",
                "needs a file: leave out engine = valkey"
            ),
            ("[store]\nengine = valkey\nurl = redis://a\npath = /a/b", "leave path out"),
            ("[store]\nengine = redis", "allowed is sqlite or valkey"),
            (
                "[listen]\naddress = localhost:80",
                "\"localhost:80\" is not an address; allowed is HOST:PORT"
            ),
            ("[listen]\naddress =", "has no value"),
            ("[listen]\naddress = 1.2.3.4:5;1.2.3.4:5", "stands there twice"),
            ("[listen]\nmetrics = 127.0.0.1:8765", "is taken by the relay itself"),
            ("[listen]\nmetrics = 8766", "allowed is HOST:PORT"),
            ("[listen]\ntrusted_proxies = 10.0.0.0/99", "is neither an address, nor a range"),
            ("[listen]\ntrusted_proxies = unix", "listens on no Unix socket"),
            ("[listen]\ntrusted_proxies = 0.0.0.0/0", "trusts everybody"),
            ("[listen]\ntrusted_proxies = 10.0.0.0/8;::/0", "trusts everybody"),
            ("[listen]\npublic_url = https://a.example/v1/push", "leave out /v1"),
            ("[listen]\npublic_url = https://v1.a.example/x/push", "leave out /v1"),
            ("[listen]\npublic_url = https://a.example/?b", "has a query"),
            ("[listen]\npublic_url = a.example", "is not an http or https URL"),
            ("[join]\nmode = cod", "allowed is open, code or closed; did you mean \"code\"?"),
            ("[join]\ncode_life = 5", "is out of range"),
            ("[limits]\nmailbox_kib = 65536\n[store]\nmax_size = 4", "is more than all of [store]"),
            ("[limits]\nper_address = 99\nconnections = 20", "is more than connections"),
            ("[store]\npath = mailboxes.db", "is no absolute path of a file"),
            ("[keys]\nsecret = 1", "secrets do not belong in this file"),
        ])
    func errors(text: String, message: String) throws {
        let errors = try errors(text)
        #expect(errors.count == 1)
        #expect(errors.first?.contains(message) == true, "\(errors)")
    }

    @Test("takes a host that is called as a path of the relay's is")
    func hosts() throws {
        for url in ["https://v1.example.org", "https://push", "https://a.example/v12"] {
            #expect(try load("[listen]\npublic_url = \(url)").get().listen.publicURL == url)
        }
    }
}

@Suite("The relay's keys on the disk")
struct KeyFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("are made once, and read again")
    func making() throws {
        let file = KeyFile(nil, state: folder.path, credentials: nil)
        #expect(file.path == folder.file("relay.keys") && file.isWritable)
        let missing = try thrown(KeyFileError.self) { try file.read() }
        #expect(missing?.isMissing == true && missing?.description.contains("init") == true)
        let made = try file.make()
        let read = try file.read()
        #expect(made.isNew && read.file == made.ring.file)
        let again = try file.make()
        #expect(!again.isNew && again.ring.file == read.file)
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("are refused where others may read them, or the file is none")
    func refusal() throws {
        let file = KeyFile(path: folder.file("relay.keys"))
        _ = try file.make()
        chmod(file.path, 0o604)
        let open = try thrown(KeyFileError.self) { try file.read() }
        #expect(open?.description.contains("chmod 600") == true)
        try folder.write("1 nonsense", to: "relay.keys")
        let broken = try thrown(KeyFileError.self) { try file.read() }
        #expect(broken?.description.contains("line 1") == true && broken?.isMissing == false)
        #expect(broken?.description.contains("nonsense") == false)
    }

    @Test("come from systemd's credential where there is one, which stays as it is")
    func credential() throws {
        let made = try KeyFile(path: folder.file(KeyFile.credential)).make().ring
        let file = KeyFile(nil, state: "/nowhere", credentials: folder.path)
        let ring = try file.read()
        #expect(ring.file == made.file && !file.isWritable)
        let error = try thrown(KeyFileError.self) { try file.write(ring.rotated()) }
        #expect(error?.description.contains("credential") == true)
        let named = KeyFile("/etc/homing/keys", state: "/nowhere", credentials: folder.path)
        #expect(named.path == "/etc/homing/keys")
    }
}
