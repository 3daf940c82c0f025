import HomeAssistantAPI
import HomingConfiguration
import HomingRegistration
import HomingTestKit
import Testing

/// The relay's token: where it is read, and what is no token.
struct RelayTests {
    private func settings(_ file: String?) -> Configuration.Push {
        var settings = Configuration.Push()
        settings.url = "https://relay.example/push"
        settings.tokenFile = file
        return settings
    }

    @Test("The token is the only line of its file; the file goes before the credential")
    func order() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("  from-the-file\n", to: "token")
        try folder.write("from-systemd", to: "homing.push_token")
        let choices = [file, nil].map {
            RelayChoice.read(
                settings($0),
                credentials: HomeCredentials(of: "home", isFirst: true, in: folder.path))
        }
        #expect(choices.map { $0.relay?.token } == ["from-the-file", "from-systemd"])
        #expect(
            RelayChoice.read(
                Configuration.Push(),
                credentials: HomeCredentials(of: "home", isFirst: true, in: folder.path)) == .none)
    }

    @Test(
        "What holds no token is named, and not repeated",
        arguments: [
            "", "\n", "two\u{1}words", "two words", "two\nlines", "\u{FC}",
            String(repeating: "x", count: 5000),
        ])
    func noToken(_ content: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(content, to: "token")
        let choice = RelayChoice.read(settings(file), credentials: HomeRig.credentials)
        let problem = try #require(choice.problem)
        #expect(problem.contains(file) && choice.relay == nil)
        #expect(content.count < 2 || !problem.contains(content))
        for folder in [nil, "/nonexistent"] {
            #expect(
                RelayChoice.read(
                    settings(nil),
                    credentials: HomeCredentials(of: "home", isFirst: true, in: folder)
                ).problem != nil)
        }
    }

    @Test(
        "The credential that is missing is named as the home's own",
        arguments: [
            ("home", true, "homing.push_token"), ("cabin", false, "homing.push_token.cabin"),
        ])
    func missing(_ home: String, _ isFirst: Bool, _ name: String) throws {
        let folder = try TemporaryFolder()
        let choice = RelayChoice.read(
            settings(nil),
            credentials: HomeCredentials(of: home, isFirst: isFirst, in: folder.path))
        #expect(choice.problem?.hasSuffix(" \(name)") == true)
    }

    @Test("Another address or token has another fingerprint, and neither can be read from it")
    func fingerprint() {
        let relay = PushRelay(url: "https://a", token: "b")
        let others = [
            PushRelay(url: "https://b", token: "b"), PushRelay(url: "https://a", token: "a"),
        ]
        #expect(Set(([relay] + others).map(\.fingerprint)).count == 3)
        #expect(relay.fingerprint == PushRelay(url: "https://a", token: "b").fingerprint)
        #expect(relay.fingerprint.utf8.count == 32)
    }
}
