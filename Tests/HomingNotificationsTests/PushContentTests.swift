import Glibc
import HomingBase
import HomingNotifications
import HomingPush
import Testing

@testable import HomeAssistantAPI

/// Content that a notification may hold, and the fate of the rest.
@Suite struct PushContentTests {
    @Test("A title of a megabyte is cut, in whole characters")
    func largeTitle() {
        let flags = PushMessage(message: "", title: String(repeating: "🇦🇹", count: 125_000))
        #expect(flags.title?.utf8.count == 507)
        #expect(flags.title?.hasSuffix("🇦🇹…") == true)
        let text = PushMessage(message: String(repeating: "x", count: 1 << 20))
        #expect(text.message.utf8.count == 4096)
    }

    @Test("Text that fits is left as it is")
    func fits() {
        let text = String(repeating: "ß", count: 2048)
        #expect(PushMessage(message: text).message == text)
        #expect(PushMessage(message: "two\nlines\tand a tab").message == "two\nlines\tand a tab")
        #expect(PushMessage(message: "", title: "two\nlines").title == "two lines")
        #expect(PushMessage(message: "", title: "").title == nil)
    }

    @Test("What a terminal or a text layout would obey is not there")
    func controls() {
        let hostile = "a\u{1b}[31mb\u{0}c\u{9b}2Jd\u{202e}e\u{2066}f\u{e0041}g\u{7}h\u{fffe}i"
        #expect(PushMessage(message: hostile).message == "a[31mbc2Jdefghi")
    }

    @Test("Links lead to the web or to Home Assistant, and nowhere else")
    func links() {
        let good = ["http://a", "https://a.b/c?d#e", "HTTPS://A", "/lovelace/0", "/"]
        for text in good { #expect(Link(text) != nil, "\(text)") }
        let bad = [
            "", "file:///etc/passwd", "javascript:alert(1)", "//evil.example", "/\\evil.example",
            "data:text/html,x", "intent://x", "app://x", "https://", "http:///x", "vbscript:x",
            "https://a b", "https://a\nb", "https://a\u{0}b", " https://a", "lovelace/0",
            "/../../etc/passwd", "https://a\\b", "-x",
            "https://" + String(repeating: "a", count: 2048),
        ]
        for text in bad { #expect(Link(text) == nil, "\(text)") }
        #expect(
            Link("/local/x.png")?.address(base: "http://ha:8123") == "http://ha:8123/local/x.png")
    }

    @Test("No link has a path that a client or a proxy would take for another")
    func dotSegments() {
        let dots = [
            "..", ".", "%2e%2e", ".%2E", "%2e.", "%252e%252e", "%25252e%25252e", "..;", "..;a=b",
            "x%2f..%2fx", "x%2F%2e%2e%2Fx", "x%5c..%5cx",
        ]
        for dot in dots {
            for path in ["/api/\(dot)/x", "/api/x/\(dot)", "/\(dot)?y", "/api/\(dot)#y"] {
                #expect(Link(path) == nil, "\(path)")
                #expect(Link("http://ha:8123\(path)") == nil, "\(path)")
                #expect(Link("https://ha\(path)") == nil, "\(path)")
            }
        }
        let good = [
            "/api/x..y", "/api/...", "/api/.well-known", "/local/a%20b.png", "/api/x?y=../..",
            "/api/%", "/api/%2", "/api/100%25", "/x#/../y",
        ]
        for path in good {
            #expect(Link(path) != nil, "\(path)")
            #expect(Link("http://ha:8123\(path)") != nil, "\(path)")
        }
        #expect(Link("http://ha?x=/../y") != nil && Link("http://ha..") != nil)
    }

    @Test("The token is for pages below /api/ of one Home Assistant alone")
    func tokenPages() throws {
        let base = "http://ha:8123"
        for text in ["/api/x", "http://ha:8123/api/x"] {
            #expect(try #require(Link(text)).isForTheToken(base: base), "\(text)")
        }
        let others = [
            "/local/x", "/apis", "http://ha:8123/local/x", "http://ha:81234/api/x",
            "http://ha:8123@evil.example/api/x", "https://ha:8123/api/x", "http://ha/api/x",
            "http://ha:8123?/api/x", "http://evil.example/http://ha:8123/api/x",
        ]
        for text in others {
            #expect(try #require(Link(text)).isForTheToken(base: base) == false, "\(text)")
        }
        #expect(!Link.web("http://ha:8123/api/%2e%2e/x").isForTheToken(base: base))
        #expect(!Link.homeAssistant(path: "/api/../x").isForTheToken(base: base))
    }

    @Test("A link that must not be followed is left out and told of, without its words")
    func badLinks() {
        let message = PushMessage(
            message: "", image: "file:///etc/shadow", icon: "ftp://x",
            opens: "javascript:alert(1)")
        #expect(message.opens == nil && message.image == nil && message.icon == nil)
        #expect(message.problems.count == 3)
        #expect(!message.problems.joined().contains("shadow"))
        #expect(PushMessage(message: "", opens: "noAction").problems == [])
    }

    @Test("Numbers are brought into range")
    func numbers() {
        #expect(PushMessage(message: "", timeout: -1).timeout == nil)
        #expect(PushMessage(message: "", timeout: .nan).timeout == nil)
        #expect(PushMessage(message: "", timeout: 1e300).timeout == 86_400)
        #expect(PushMessage(message: "", progress: .percent(999)).progress == .percent(100))
        #expect(PushMessage(message: "", progress: .percent(.min)).progress == .percent(0))
    }

    @Test("What a person of this machine has shown has nothing fetched and replaces no other's")
    func fromPerson() {
        let sent = PushMessage(
            message: "", tag: "door", image: "/api/camera_proxy/camera.bedroom",
            icon: "https://a.example/icon.png")
        #expect(sent.image != nil && sent.icon != nil && sent.sender == .homeAssistant)
        let shown = sent.fromPerson()
        #expect(shown.image == nil && shown.icon == nil && shown.sender == .person)
        #expect(shown.tag != nil && shown.tag != sent.tag)
    }

    @Test("What an action does not open itself, the notification's url may, for a category's too")
    func actionLinks() {
        let offered = [
            OfferedAction(id: "A", title: "A"),
            OfferedAction(id: "B", title: "B", uri: "https://own.example"),
        ]
        let links = ["A": "/lovelace/alarm", "B": "/other", "C": "file:///etc/passwd"]
        let own = PushMessage(message: "", links: links, actions: offered)
        #expect(
            own.actions.map(\.opens) == [
                .homeAssistant(path: "/lovelace/alarm"), .web("https://own.example"),
            ])
        let category = PushCategory.examine([.init(id: "alarm", name: nil, actions: offered)])
            .categories
        let without = PushMessage(message: "", links: links).offering(category.first)
        #expect(without.actions == own.actions)
    }

    @Test("Data that is too large is not sent back")
    func data() {
        let data = "{\"a\":\"" + String(repeating: "x", count: PushMessage.dataLimit) + "\"}"
        #expect(PushMessage(message: "", data: data).data == "{}")
        #expect(PushMessage(message: "", data: "{\"a\":1}").data == "{\"a\":1}")
    }

    @Test("A tag that is no identifier is none")
    func tags() {
        #expect(PushMessage(message: "", tag: "door").tag == "door")
        #expect(PushMessage(message: "", tag: "").tag == nil)
        #expect(PushMessage(message: "", tag: "a\u{0}b").tag == nil)
        #expect(PushMessage(message: "", tag: String(repeating: "x", count: 256)).tag == nil)
    }

    @Test(
        "Messages that are orders",
        arguments: [
            ("request_location_update", PushCommand.requestLocation),
            ("command_update_sensors", .updateSensors), ("command_screen_lock", .lockScreen),
            ("command_suspend", .suspend), ("command_run", .run(name: "backup")),
            ("clear_notification", .clear(tag: "door")),
            ("command_dnd", .unsupported("command_dnd")), ("TTS", .unsupported("TTS")),
        ])
    func commands(message: String, command: PushCommand) throws {
        let data = #"{"tag":"door","command":"backup"}"#
        let payload = try #require(
            NotificationPayload(message: message, title: nil, dataText: data))
        #expect(PushContent(payload) == .command(command))
    }

    @Test("An order without what it needs is none; a text that only looks like one is a text")
    func almostCommands() {
        func content(_ text: String) -> PushContent {
            PushContent(NotificationPayload(message: text))
        }
        #expect(content("clear_notification") == .command(.unsupported("clear_notification")))
        #expect(content("command_run") == .command(.unsupported("command_run")))
        for text in ["command_ and some words", " command_run", "Clear_Notification", ""] {
            guard case .notification(let message) = content(text) else {
                Issue.record("\(text) is an order")
                continue
            }
            #expect(message.message == text)
        }
    }

    @Test("Orders are permitted by the configuration, and a command to run by its name too")
    func permissions() {
        let byDefault = Set(PushCommand.permittedByDefault)
        #expect(PushCommand.requestLocation.isPermitted(by: byDefault, names: []))
        #expect(PushCommand.updateSensors.isPermitted(by: byDefault, names: []))
        #expect(!PushCommand.lockScreen.isPermitted(by: byDefault, names: []))
        #expect(!PushCommand.suspend.isPermitted(by: byDefault, names: []))
        #expect(PushCommand.clear(tag: "x").isPermitted(by: [], names: []))
        let run = PushCommand.run(name: "backup")
        #expect(!run.isPermitted(by: byDefault, names: ["backup"]))
        #expect(!run.isPermitted(by: ["command_run"], names: []))
        #expect(run.isPermitted(by: ["command_run"], names: ["backup"]))
        let all = Set(PushCommand.permissions)
        #expect(!PushCommand.unsupported("x").isPermitted(by: all, names: ["x"]))
    }

    @Test("The last 1024 are remembered, through a restart too")
    func deduplicator() {
        var memory = Deduplicator()
        let areNew = (0..<3000).allSatisfy { memory.isNew("\($0)") }
        #expect(areNew)
        #expect(memory.remembered.count == 1024)
        #expect(memory.remembered.first == "1976" && memory.remembered.last == "2999")
        var restarted = Deduplicator(remembered: memory.remembered)
        // 1976 is known; 3000 takes its place; 1976 again that of 1977.
        let answers = ["1976", "3000", "1976", "1978"].map { restarted.isNew($0) }
        #expect(answers == [false, true, true, false])
    }

    @Test("What is too long to be Home Assistant's is never remembered")
    func longIdentities() {
        var memory = Deduplicator()
        let long = String(repeating: "x", count: 129)
        #expect(memory.isNew(long) && memory.isNew(long))
        let edge = String(repeating: "x", count: 128)
        #expect(memory.isNew(edge) && !memory.isNew(edge))
        let most = (0..<2000).map { "\($0)" + String(repeating: "x", count: 250_000) }
        for identity in most { _ = memory.isNew(identity) }
        #expect(memory.remembered == [edge])
    }

    @Test("Random messages stay within their bounds")
    func randomMessages() {
        let seed =
            getenv("HOMING_SEED").flatMap { UInt64(String(cString: $0)) }
            ?? UInt64.random(in: 0...(.max))
        print("HOMING_SEED=\(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<3000 {
            let message = RandomMessage.make(&random)
            #expect(RandomMessage.violations(message) == [], "HOMING_SEED=\(seed)")
        }
    }
}

/// Messages of whatever a network may bring.
enum RandomMessage {
    static func make(_ random: inout SeededRandom) -> PushMessage {
        let actions = (0..<Int.random(in: 0...20, using: &random)).map { _ in
            OfferedAction(
                id: text(&random), title: text(&random), uri: text(&random),
                asksForText: Bool.random(using: &random), textPlaceholder: text(&random))
        }
        return PushMessage(
            message: text(&random) ?? "", title: text(&random), subtitle: text(&random),
            tag: text(&random), group: text(&random), timeout: Seconds(bitPattern: random.next()),
            image: text(&random), opens: text(&random), actions: actions,
            data: text(&random) ?? "{}")
    }

    static func text(_ random: inout SeededRandom) -> String? {
        let pieces = [
            "\u{1b}[", "https://", "/", "\u{0}", "é", "👩‍👩‍👧", "javascript:", "a", "\u{300}", "\n",
            "\u{202e}",
        ]
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return nil
        case 1: return String(repeating: pieces.randomElement(using: &random) ?? "", count: 6000)
        case 2: return "https://example.org/\(random.next())"
        default:
            return (0..<Int.random(in: 0...12, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
    }

    static func violations(_ message: PushMessage) -> [String] {
        var found: [String] = []
        let lines = [message.title, message.subtitle, message.group].compactMap { $0 }
        if lines.contains(where: { $0.utf8.count > 512 }) { found.append("a long line") }
        if message.message.utf8.count > 4096 { found.append("a long message") }
        let all = (lines + [message.message] + message.actions.map(\.title)).joined()
        if all.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" && $0 != "\t" }) {
            found.append("a control character")
        }
        if message.actions.count > 8 { found.append("too many actions") }
        if message.data.utf8.count > PushMessage.dataLimit { found.append("large data") }
        if let timeout = message.timeout, !(0...86_400).contains(timeout) {
            found.append("timeout")
        }
        return found
    }
}
