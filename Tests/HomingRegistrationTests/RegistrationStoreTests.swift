import Glibc
import HomeAssistantAPI
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingRegistration

@Suite("The registration's file")
struct RegistrationStoreTests {
    private let folder: TemporaryFolder
    private var store: RegistrationStore {
        RegistrationStore(directory: folder.path, credentials: .none)
    }

    private let registration = Registration(
        instanceURL: "http://homeassistant.local:8123", cloudhookURL: "https://hooks.nabu.casa/x",
        remoteUIURL: nil, webhookID: "webhook-ü", secret: String(repeating: "ab", count: 32),
        deviceID: "device", deviceName: "Träger",
        homeNetworks: [
            Registration.HomeNetwork(ssid: "Home"), Registration.HomeNetwork(connection: "uuid"),
        ],
        authorization: Registration.Authorization(kind: .refresh, token: "t", clientID: "c"))

    init() throws { folder = try TemporaryFolder() }

    @Test("gives back what was saved, and is its owner's alone")
    func roundTrip() throws {
        #expect(try store.load() == nil)
        try store.save(registration)
        #expect(try store.load() == registration)
        var status = stat()
        #expect(stat(store.path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
        var other = registration
        other.secret = nil
        try store.save(other)
        #expect(try store.load() == other)
        #expect(folder.names() == ["registration.json"])
    }

    @Test("can be read by people: a key a line, URLs as they are")
    func text() throws {
        try store.save(registration)
        let text = String(decoding: try folder.read("registration.json"), as: UTF8.self)
        #expect(text.contains("\n  \"cloudhook_url\" : \"https://hooks.nabu.casa/x\",\n"))
        #expect(text.hasSuffix("}\n"))
    }

    @Test("is deleted, also when it is not there")
    func deletion() throws {
        try store.save(registration)
        try store.delete()
        #expect(try store.load() == nil)
        try store.delete()
    }

    @Test("is refused when others may read or write it", arguments: [0o640, 0o604, 0o602, 0o620])
    func exposed(mode: mode_t) throws {
        try store.save(registration)
        chmod(store.path, mode)
        let error = try thrown(RegistrationError.self) { try store.load() }
        #expect(error == .exposed(path: store.path, mode: mode))
        #expect(error?.description.contains("chmod 600") == true)
    }

    @Test("is refused when it is no registration; its content stays untold")
    func malformed() throws {
        try store.save(registration)
        let good = String(decoding: try folder.read("registration.json"), as: UTF8.self)
        let kindless = good.replacing("\"refresh\"", with: "\"s3cret\"")
        let idless = good.replacing("\"webhook_id\"", with: "\"webhook\"")
        let cases: [(String, String?)] = [
            ("", nil), ("{", nil), ("[1]", nil), ("s3cret", nil), ("{}", "version"),
            ("{\"version\": \"s3cret\"}", "version"), (kindless, "auth.kind"),
            (idless, "webhook_id"), (String(good.dropLast(9)), nil),
        ]
        for (content, field) in cases {
            try folder.write(Array(content.utf8), to: "registration.json")
            let error = try thrown(RegistrationError.self) { try store.load() }
            #expect(error == .malformed(path: store.path, field: field))
            #expect(error?.description.contains("s3cret") == false)
        }
    }

    @Test("is refused when it is from a newer Homing")
    func newer() throws {
        try folder.write(Array("{\"version\": 3}".utf8), to: "registration.json")
        let error = try thrown(RegistrationError.self) { try store.load() }
        #expect(error == .newerVersion(path: store.path, version: 3))
    }

    @Test("says what the system says when it cannot be written")
    func unwritable() throws {
        let store = RegistrationStore(directory: folder.file("absent"), credentials: .none)
        let error = try thrown(RegistrationError.self) { try store.save(registration) }
        #expect(error?.description.contains("No such file") == true)
    }

    @Test("is for a person to mend unless the system's refusal may pass by itself")
    func people() throws {
        let passing = [EIO, EMFILE, ENFILE, ENOMEM, ENOSPC, EINTR, ESTALE]
        for number in passing {
            let error = RegistrationError.system(SystemError("cannot read x", number: number))
            #expect(!error.isForPeople, "\(error)")
        }
        for number in [EACCES, EPERM, EISDIR, ELOOP, ENOTDIR, EROFS] {
            let error = RegistrationError.system(SystemError("cannot read x", number: number))
            #expect(error.isForPeople, "\(error)")
        }
        try folder.write("{", to: "registration.json")
        #expect(try thrown(RegistrationError.self) { try store.load() }?.isForPeople == true)
    }
}

@Suite("Secret and token from systemd's credentials")
struct RegistrationCredentialsTests {
    private let folder: TemporaryFolder
    private let credentials: TemporaryFolder
    private static let secret = String(repeating: "ab", count: 32)

    init() throws {
        folder = try TemporaryFolder()
        credentials = try TemporaryFolder()
        _ = try credentials.write("\(Self.secret)\n", to: "homing.secret")
        _ = try credentials.write("token\n", to: "homing.token")
    }

    private var store: RegistrationStore {
        RegistrationStore(
            directory: folder.path,
            credentials: HomeCredentials(of: "home", isFirst: true, in: credentials.path))
    }

    private func registration(secret: String?, token: String?) -> Registration {
        Registration(
            instanceURL: "http://ha", cloudhookURL: nil, remoteUIURL: nil, webhookID: "w",
            secret: secret, deviceID: "d", deviceName: "n", homeNetworks: [],
            authorization: token.map { Registration.Authorization(kind: .longLived, token: $0) })
    }

    private func file() throws -> String {
        String(decoding: try folder.read("registration.json"), as: UTF8.self)
    }

    @Test("what the credentials hold is not written, and is there when it is read")
    func notWritten() throws {
        let whole = registration(secret: Self.secret, token: "token")
        try store.save(whole)
        #expect(try !file().contains(Self.secret) && !file().contains("\"token\""))
        #expect(try store.load() == whole)
    }

    @Test("what the file held before is taken out of it when it is read")
    func takenOut() throws {
        let whole = registration(secret: Self.secret, token: "token")
        try RegistrationStore(directory: folder.path, credentials: .none).save(whole)
        #expect(try file().contains(Self.secret))
        #expect(try store.load() == whole)
        #expect(try !file().contains(Self.secret))
    }

    @Test("a new secret wins over an old credential")
    func newSecret() throws {
        let new = registration(secret: String(repeating: "cd", count: 32), token: "another")
        try store.save(new)
        #expect(try store.load() == new)
        #expect(try file().contains("cdcd"))
    }

    @Test("a sealed registration without its credential has no secret, and is sealed all the same")
    func lost() throws {
        let whole = registration(secret: Self.secret, token: "token")
        try store.save(whole)
        let bare = RegistrationStore(directory: folder.path, credentials: .none)
        let lost = try #require(try bare.load())
        #expect(lost.secret == nil && lost.isSealed && lost.lacksSecret)
        // To write it changes nothing, and the credential is believed when it is back.
        try bare.save(lost)
        #expect(try bare.load()?.lacksSecret == true)
        #expect(try store.load() == whole)
    }

    @Test("a credential that holds another secret is not taken")
    func another() throws {
        try store.save(registration(secret: Self.secret, token: "token"))
        _ = try credentials.write(String(repeating: "cd", count: 32), to: "homing.secret")
        let loaded = try #require(try store.load())
        #expect(loaded.secret == nil && loaded.lacksSecret)
    }

    @Test("an older file is marked when its secret is known, and not before")
    func migration() throws {
        let old = """
            {"version": 1, "instance_url": "http://ha", "webhook_id": "w", "device_id": "d",
             "device_name": "n", "home_networks": []%}
            """
        let write = { (secret: String) in
            try folder.write(
                Array(old.replacing("%", with: secret).utf8), to: "registration.json")
            chmod(store.path, 0o600)
        }
        let plain = RegistrationStore(directory: folder.path, credentials: .none)
        try write("")
        #expect(try plain.load()?.isSealed == false)
        #expect(try !file().contains("sealed"))
        #expect(try store.load()?.secret == Self.secret)
        #expect(try file().contains("\"sealed\" : true"))
        #expect(try plain.load()?.lacksSecret == true)
        try write(", \"secret\": \"\(Self.secret)\"")
        #expect(try plain.load()?.secret == Self.secret)
        #expect(try file().contains("\"sealed\" : true"))
    }

    @Test("no damage to the file makes a sealed registration one in the clear")
    func damage() throws {
        let plain = RegistrationStore(directory: folder.path, credentials: .none)
        try plain.save(registration(secret: Self.secret, token: nil))
        let good = try file()
        for key in ["secret", "sealed", "secret_fingerprint"] {
            let lines = good.split(separator: "\n").filter { !$0.contains("\"\(key)\"") }
            try folder.write(Array(lines.joined(separator: "\n").utf8), to: "registration.json")
            let loaded = try? plain.load()
            #expect(loaded?.isSealed ?? true, "\(key)")
        }
        let other = good.replacing(Self.secret, with: String(repeating: "cd", count: 32))
        try folder.write(Array(other.utf8), to: "registration.json")
        #expect(try plain.load()?.lacksSecret == true)
    }

    @Test("without credentials the file is all there is")
    func without() throws {
        let bare = registration(secret: nil, token: nil)
        let plain = RegistrationStore(
            directory: folder.path,
            credentials: HomeCredentials(of: "home", isFirst: true, in: "/nonexistent"))
        try plain.save(bare)
        #expect(try plain.load() == bare)
    }
}

@Suite("Which credentials are a home's")
struct HomeCredentialsTests {
    @Test("The first home has those without a name too, and no home has another's")
    func names() throws {
        let folder = try TemporaryFolder()
        func path(_ home: String, isFirst: Bool, _ name: String) -> String? {
            HomeCredentials(of: home, isFirst: isFirst, in: folder.path).path(of: name)?
                .replacing("\(folder.path)/", with: "")
        }
        for name in ["homing.secret", "homing.token", "homing.token.home", "homing.token.cabin"] {
            try folder.write("x", to: name)
        }
        #expect(path("home", isFirst: true, "homing.secret") == "homing.secret")
        #expect(path("home", isFirst: true, "homing.token") == "homing.token.home")
        #expect(path("cabin", isFirst: false, "homing.token") == "homing.token.cabin")
        #expect(path("cabin", isFirst: false, "homing.secret") == nil)
        #expect(path("home", isFirst: true, "homing.push_token") == nil)
    }
}

extension HomeCredentials {
    fileprivate static let none = HomeCredentials(of: "home", isFirst: true, in: nil)
}
