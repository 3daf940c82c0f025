import HomeAssistantAPI
import HomingConfiguration
import HomingDelivery
import HomingHealth
import HomingMachine
import HomingPush
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Endings of warnings in the journal.
@Suite struct WarningEndingTests {
    init() { LoopThread.start() }

    private static let untrusted =
        "No longer reported: The TLS connection to Home Assistant cannot be trusted"

    /// A home that cannot trust the TLS connection.
    @LoopActor private func rigWithTrouble() throws -> HomeRig {
        let rig = try HomeRig()
        rig.home.delivery.handleCourierEvent(.answer(.failed(.tls("expired"))))
        #expect(rig.shown(.tls) != nil && rig.journal.endings.isEmpty)
        return rig
    }

    @Test("\"Resolved\" stands before a good state alone")
    func texts() {
        #expect(
            Warnings.Ending.solved.text(.gone) == "Resolved: Home Assistant has this registration")
        #expect(
            Warnings.Ending.replaced(by: .tls).text(.gone)
                == "No longer reported: The registration was deleted in Home Assistant. "
                + "Now: The TLS connection to Home Assistant cannot be trusted")
        #expect(
            Warnings.Ending.withdrawn.text(.gone)
                == "No longer reported: The registration was deleted in Home Assistant")
    }

    @Test("The good state of a warning is said without a negation")
    func goodStates() {
        for warnable in Warnable.all {
            let words = warnable.resolved.lowercased().split(whereSeparator: { !$0.isLetter })
            let denials: Set<String> = ["not", "no", "cannot", "nothing", "or", "now"]
            #expect(denials.isDisjoint(with: words.map(String.init)), "\(warnable.code)")
        }
    }

    @Test("A trouble that ends by a receipt is resolved")
    @LoopActor func receipt() throws {
        let rig = try rigWithTrouble()
        defer { rig.shutdown() }
        let delivery = rig.home.delivery
        delivery.handleCourierEvent(.reachable)
        let facts = HomeAssistantFacts(
            version: "2025.1.0", cloudhookURL: nil, remoteUIURL: nil, trackerLoaded: true)
        let receipt = Receipt(trackerExists: true, trackerState: "home", place: nil)
        delivery.handleCourierEvent(.answer(.configuration(facts)))
        delivery.handleCourierEvent(.answer(.zones([])))
        delivery.handleCourierEvent(.answer(.receipt(receipt, onNewConnection: true)))
        #expect(rig.journal.endings == ["Resolved: A connection to Home Assistant works"])
    }

    @Test("Before the network is known, no warning and no line of the journal blames the network")
    @LoopActor func unknownNetwork() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        let delivery = rig.home.delivery
        delivery.use(
            RouteChooser(
                addresses: .init(instance: "http://192.0.2.1:8123/api/webhook/w"),
                homeNetworks: [.init(ssid: "HomeNet")]))
        delivery.chooseRoute(networkChanged: false)
        #expect(rig.shown(.noEndpoint) == nil)
        #expect(!rig.journal.lines.contains { $0.contains("nothing is sent") })
        delivery.networkChanged(.unknown)
        #expect(rig.shown(.noEndpoint) != nil)
        // The route is that of before, and the journal names the route now.
        #expect(rig.journal.lines.contains { $0.contains("away from home: nothing is sent") })
    }

    @Test("A trouble that becomes another one names the other one")
    @LoopActor func another() throws {
        let rig = try rigWithTrouble()
        defer { rig.shutdown() }
        rig.home.delivery.handleCourierEvent(.reachable)
        rig.home.delivery.handleCourierEvent(.answer(.gone))
        #expect(rig.shown(.gone) != nil)
        #expect(
            rig.journal.endings == [
                "\(Self.untrusted). Now: The registration was deleted in Home Assistant"
            ])
    }

    @Test("A trouble that is not shown yet is not named")
    @LoopActor func unseen() throws {
        let rig = try rigWithTrouble()
        defer { rig.shutdown() }
        rig.home.delivery.handleCourierEvent(.reachable)
        rig.home.delivery.handleCourierEvent(.answer(.failed(.unauthorized(status: 403))))
        #expect(rig.isRaised(.unauthorized) && rig.shown(.unauthorized) == nil)
        #expect(rig.journal.endings == [Self.untrusted])
    }

    @Test("A route that becomes empty resolves no trouble")
    @LoopActor func noRoute() throws {
        let rig = try rigWithTrouble()
        defer { rig.shutdown() }
        rig.loseRoute()
        #expect(!rig.isRaised(.tls))
        #expect(rig.journal.endings == [Self.untrusted])
    }

    @Test("A route to another endpoint resolves no trouble, and is no outage before the first try")
    @LoopActor func anotherRoute() throws {
        let clock = VirtualClock()
        let rig = try HomeRig(clock: clock)
        defer { rig.shutdown() }
        rig.home.delivery.handleCourierEvent(.answer(.failed(.tls("expired"))))
        clock.sleep(1200)
        #expect(rig.isRaised(.tls))
        rig.useAddress("http://127.0.0.1:9")
        #expect(!rig.isRaised(.tls) && !rig.isRaised(.notDelivering))
        #expect(rig.journal.endings == [Self.untrusted])
    }

    @Test("An outage goes on when the route changes")
    @LoopActor func outage() throws {
        let clock = VirtualClock()
        let rig = try HomeRig(clock: clock)
        defer { rig.shutdown() }
        rig.home.delivery.handleCourierEvent(.answer(.failed(.network("refused"))))
        clock.sleep(1200)
        // Timers stand still meanwhile: another warning has the outage shown.
        rig.home.warnings.set(.rejected, true)
        #expect(rig.shown(.notDelivering) != nil)
        rig.useAddress("http://127.0.0.1:9")
        #expect(rig.isRaised(.notDelivering) && rig.journal.endings.isEmpty)
        #expect(rig.shown(.notDelivering) == nil, "the reason was the former address's")
    }

    @Test("A portal is not complained of without a registration")
    @LoopActor func portal() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        let cafe = NetworkState.Network(
            primary: .wifi(ssid: "Cafe", bssid: nil), connectivity: .portal, metered: false)
        rig.home.delivery.networkChanged(.known(cafe))
        #expect(rig.isRaised(.portal))
        rig.home.adopt(nil)
        #expect(!rig.isRaised(.portal))
        let portal = "A captive portal stands between this machine and the internet"
        #expect(rig.journal.endings == ["No longer reported: \(portal)"])
    }

    @Test("A registration that is removed resolves no trouble")
    @LoopActor func removed() throws {
        let rig = try rigWithTrouble()
        defer { rig.shutdown() }
        rig.home.adopt(nil)
        #expect(!rig.isRaised(.tls))
        #expect(rig.journal.endings == [Self.untrusted])
    }

    @Test("A gpsd that answers resolves a trouble; a gpsd that is switched off does not")
    @LoopActor func gpsd() throws {
        let clock = VirtualClock()
        let rig = try HomeRig(clock: clock)
        defer { rig.shutdown() }
        for end in [GPSDState.watching(receivers: 1), .off] {
            rig.machine.observe(.gpsd(.disconnected("refused")))
            // Timers stand still meanwhile: the second report has it shown.
            clock.sleep(180)
            rig.machine.observe(.gpsd(.disconnected("refused")))
            rig.machine.observe(.gpsd(end))
        }
        #expect(
            rig.journal.endings == [
                "Resolved: gpsd can be reached", "No longer reported: gpsd cannot be reached",
            ])
    }

    @Test("A registration with a token resolves the lack of a token; the lack of both does not")
    @LoopActor func pushToken() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        var configuration = rig.home.configuration
        configuration.push.mode = .always
        rig.home.apply(configuration)
        let complete = HomeRig.registration(rig.server.url)
        var bare = complete
        bare.authorization = nil
        for registration in [complete, nil] {
            rig.home.adopt(bare)
            #expect(rig.isRaised(.pushNoToken))
            rig.home.adopt(registration)
        }
        #expect(
            rig.journal.endings == [
                "Resolved: The registration has a token",
                "No longer reported: The registration has no token: notifications are off",
            ])
    }

    @Test("A relay that is named no longer resolves no trouble")
    @LoopActor func relayToken() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        let former = rig.home.configuration
        var configuration = former
        configuration.push.url = "https://push.example.org"
        rig.home.apply(configuration)
        #expect(rig.isRaised(.pushRelayNoToken))
        rig.home.apply(former)
        #expect(
            rig.journal.endings == [
                "No longer reported: The relay for notifications has no token, "
                    + "so Home Assistant does not use the relay"
            ])
    }

    @Test("A warning that ends by its time is not resolved, whatever else ends")
    @LoopActor func expired() {
        let journal = PlayedJournal()
        let clock = VirtualClock()
        let warnings = Warnings(log: journal.makeLog(), clock: clock) {}
        defer { warnings.shutdown() }
        warnings.set(.rejected, true)
        warnings.set(.tls, true)
        // Timers stand still meanwhile.
        clock.sleep(25 * 3600)
        warnings.set(.tls, false)
        #expect(
            journal.endings == [
                "Resolved: A connection to Home Assistant works",
                "No longer reported: Home Assistant refused a message",
            ])
    }
}
