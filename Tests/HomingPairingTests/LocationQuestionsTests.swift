import HomingPairing
import Testing

/// The questions about the location at the end of setup.
struct LocationQuestionsTests {
    private typealias Effect = PairingSession.Effect

    private static let unknownZone = PairingTrouble(.refused, "Home Assistant has no zone \"X\"")
    private static let office = LocationOffer.Network(
        name: "Wi-Fi Office", gateway: nil, bssid: "02:00:00:00:0B:01", zones: ["Work", "Gym"])
    private static let everything: LocationOffer = {
        var offer = LocationOffer()
        offer.network = office
        offer.hasGeoClue = true
        return offer
    }()

    /// A setup in which all works, and what comes after its proof.
    ///
    /// - Parameters:
    ///   - isHome: what a person answers about the network.
    ///   - daemon: whether a daemon runs.
    private static func proved(
        isHome: Bool = false, daemon: Bool = true, acceptsDefaults: Bool = false
    ) -> (PairingSession, [Effect]) {
        var choices = PairingChoices()
        choices.url = "http://homeassistant.local:8123"
        (choices.isInteractive, choices.hasToken) = (true, true)
        choices.acceptsDefaults = acceptsDefaults
        let situation = PairingSituation(
            home: "home", registeredAs: nil, machineName: "van", network: "Office",
            isDaemonRunning: daemon, hasServiceManager: false)
        var session = PairingSession(choices: choices, situation: situation)
        let events: [PairingSession.Event] = [
            .begin, .inspected(hasPKCE: .success(true)), .line(""), .line(isHome ? "y" : "n"),
            .registered(.success("registered")), .tested(nil),
        ]
        let effects = events.reduce([]) { _, event in session.handle(event) }
        return (session, effects)
    }

    private static func question(_ effects: [Effect]) -> String? {
        effects.compactMap { if case .ask(let question) = $0 { question } else { nil } }.last
    }

    private static func ending(_ effects: [Effect]) -> PairingEnding? {
        effects.compactMap { if case .end(let ending) = $0 { ending } else { nil } }.first
    }

    @Test("A network that is not home may be kept as a place, and GeoClue may be switched on")
    func both() {
        var (session, effects) = Self.proved()
        #expect(
            effects == [
                .say("Test message sent and confirmed."),
                .say("Looking for sources of the location …"), .inspectLocation,
            ])
        effects = session.handle(.inspectedLocation(Self.everything))
        #expect(Self.question(effects)?.contains("on Wi-Fi Office? (Work, Gym; Enter") == true)
        #expect(session.handle(.line("Work")) == [.keepPlace(zone: "Work", Self.office)])
        #expect(session.handle(.line("typed early")).isEmpty, "an answer is being kept")
        effects = session.handle(.keptAnswer(.success("[place.work] is in a file.")))
        #expect(effects.first == .say("[place.work] is in a file."))
        #expect(Self.question(effects)?.contains("GeoClue") == true)
        #expect(Self.question(session.handle(.line("perhaps"))) == "Please answer y or n: ")
        #expect(session.handle(.line("y")) == [.enableGeoClue])
        #expect(Self.ending(session.handle(.keptAnswer(.success("done")))) == .paired)
        #expect(session.handle(.keptAnswer(.success("again"))).isEmpty, "setup has ended")
    }

    @Test("Enter keeps no place and asks no service")
    func usualAnswers() {
        var (session, _) = Self.proved()
        _ = session.handle(.inspectedLocation(Self.everything))
        let effects = session.handle(.line(""))
        #expect(Self.question(effects)?.contains("GeoClue") == true)
        let last = session.handle(.line(""))
        #expect(Self.ending(last) == .paired)
        #expect(!(effects + last).contains(.enableGeoClue))
    }

    @Test("What is settled, or not there, is not asked")
    func nothingToAsk() {
        var (home, _) = Self.proved(isHome: true)
        var offer = Self.everything
        offer.hasGeoClue = false
        #expect(Self.ending(home.handle(.inspectedLocation(offer))) == .paired)
        var (bare, _) = Self.proved()
        #expect(Self.ending(bare.handle(.inspectedLocation(LocationOffer()))) == .paired)
        #expect(Self.ending(Self.proved(daemon: false).1) == .paired, "nobody knows the networks")
        #expect(Self.ending(Self.proved(acceptsDefaults: true).1) == .paired, "nobody is asked")
    }

    @Test("A zone that is not there is asked for again, and what cannot be kept is told")
    func troubles() {
        var (session, _) = Self.proved()
        _ = session.handle(.inspectedLocation(Self.everything))
        _ = session.handle(.line("X"))
        let again = session.handle(.keptAnswer(.failure(Self.unknownZone)))
        #expect(again.first == .say(Self.unknownZone.message))
        #expect(Self.question(again)?.contains("on Wi-Fi Office? (Work, Gym; Enter") == true)
        #expect(session.handle(.line("Work")) == [.keepPlace(zone: "Work", Self.office)])
        let full = PairingTrouble(.machine, "No space left on device")
        #expect(
            Self.question(session.handle(.keptAnswer(.failure(full))))?.contains("GeoClue") == true)
        #expect(Self.ending(session.handle(.line("n"))) == .incomplete)
    }

    @Test(
        "A machine without a receiver may stop looking, and Enter goes on looking",
        arguments: ["y", ""])
    func withoutReceiver(answer: String) {
        var (session, _) = Self.proved(isHome: true)
        var offer = LocationOffer()
        (offer.lacksReceiver, offer.hasGeoClue) = (true, true)
        #expect(
            Self.question(session.handle(.inspectedLocation(offer)))?.contains("No GPS receiver")
                == true)
        var effects = session.handle(.line(answer))
        if answer == "y" {
            #expect(effects == [.disableGPS])
            effects = session.handle(.keptAnswer(.success("done")))
        }
        #expect(Self.question(effects)?.contains("GeoClue") == true)
        #expect(Self.ending(session.handle(.line("n"))) == .paired)
    }

    @Test("Receivers on the network are named")
    func receivers() {
        var (session, _) = Self.proved()
        var offer = LocationOffer()
        offer.receivers = ["192.168.1.5:10110 announces itself as the receiver \"Signal K\""]
        let effects = session.handle(.inspectedLocation(offer))
        guard case .say(let words)? = effects.first else {
            Issue.record("nothing is said")
            return
        }
        #expect(
            words.contains("192.168.1.5:10110")
                && words.contains("type: zcat -f /usr/share/doc/homing/docs/receivers.md* | more"))
        #expect(Self.ending(effects) == .paired)
    }

    @Test("The end of input leaves the last questions unanswered, and all else as it is")
    func endOfInput() {
        var (session, _) = Self.proved()
        _ = session.handle(.inspectedLocation(Self.everything))
        #expect(Self.ending(session.handle(.line(nil))) == .paired)
        var (waiting, _) = Self.proved()
        #expect(waiting.handle(.line(nil)).isEmpty, "the questions are not known yet")
        let effects = waiting.handle(.inspectedLocation(Self.everything))
        #expect(Self.ending(effects) == .paired && Self.question(effects) == nil)
    }

    @Test("After the end of input setup still tells what could not be kept")
    func endOfInputAfterFailure() {
        let full = PairingTrouble(.machine, "No space left on device")
        var (session, _) = Self.proved()
        _ = session.handle(.inspectedLocation(Self.everything))
        _ = session.handle(.line("Work"))
        var waiting = session
        #expect(waiting.handle(.line(nil)).isEmpty, "the answer is being kept")
        #expect(Self.ending(waiting.handle(.keptAnswer(.failure(full)))) == .incomplete)
        _ = session.handle(.keptAnswer(.failure(full)))
        var wrong = session
        #expect(Self.ending(session.handle(.line(nil))) == .incomplete)
        _ = wrong.handle(.line("y"))
        _ = wrong.handle(.line(nil))
        let end = wrong.handle(.keptAnswer(.failure(Self.unknownZone)))
        #expect(Self.ending(end) == .incomplete && Self.question(end) == nil, "nobody can be asked")
    }

    @Test(
        "Each receiver is listed once, by an address that can be used, without control characters")
    func receiversOnce() {
        let service = { (name: String, address: String?) in
            DiscoveredService(name: name, texts: [], address: address, port: 10110)
        }
        let found = [
            service("Plotter\u{1B}[2J", "fd00::9"), service("Plotter\u{1B}[2J", "10.0.0.9"),
            service("Plotter\u{1B}[2J", "fd00::a"), service("Router", "fe80::1"),
            service("Nobody", nil), service("Six", "fd00::7"),
        ]
        #expect(
            DiscoveredService.receivers(found) == [
                "10.0.0.9:10110 announces itself as the receiver \"Plotter\u{FFFD}[2J\"",
                "[fd00::7]:10110 announces itself as the receiver \"Six\"",
            ])
        let many = (0..<20).map { service("R\($0)", "10.0.0.\($0)") }
        #expect(DiscoveredService.receivers(many).count == 9)
        #expect(DiscoveredService.receivers(many).last == "and 12 more")
    }
}
