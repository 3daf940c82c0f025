import HomingDelivery
import HomingHealth
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Endings of warnings in the journal.
@Suite struct WarningEndingTests {
    init() { LoopThread.start() }

    /// Lines that were written to a log.
    @LoopActor private final class Journal {
        var lines: [String] = []

        init(of log: HomeLog) { log.copyLines { [weak self] in self?.lines.append($0) } }

        /// The lines that say that a warning is over.
        var endings: [String] {
            lines.filter { $0.hasPrefix("Resolved: ") || $0.hasPrefix("No longer reported: ") }
        }
    }

    private static let untrusted =
        "No longer reported: The TLS connection to Home Assistant cannot be trusted"

    /// A home that cannot trust the TLS connection, and its journal from now on.
    @LoopActor private func rigWithTrouble() throws -> (HomeRig, Journal) {
        let rig = try HomeRig()
        let journal = Journal(of: rig.home.log)
        rig.home.delivery.handleCourierEvent(.answer(.failed(.tls("expired"))))
        #expect(rig.shown(.tls) != nil && journal.endings.isEmpty)
        return (rig, journal)
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
        let (rig, journal) = try rigWithTrouble()
        defer { rig.shutdown() }
        let delivery = rig.home.delivery
        delivery.handleCourierEvent(.reachable)
        let facts = HomeAssistantFacts(
            version: "2025.1.0", cloudhookURL: nil, remoteUIURL: nil, trackerLoaded: true)
        let receipt = Receipt(trackerExists: true, trackerState: "home", place: nil)
        delivery.handleCourierEvent(.answer(.configuration(facts)))
        delivery.handleCourierEvent(.answer(.zones([])))
        delivery.handleCourierEvent(.answer(.receipt(receipt, onNewConnection: true)))
        #expect(journal.endings == ["Resolved: A connection to Home Assistant works"])
    }

    @Test("A trouble that becomes another one names the other one")
    @LoopActor func another() throws {
        let (rig, journal) = try rigWithTrouble()
        defer { rig.shutdown() }
        rig.home.delivery.handleCourierEvent(.reachable)
        rig.home.delivery.handleCourierEvent(.answer(.gone))
        #expect(rig.shown(.gone) != nil)
        #expect(
            journal.endings == [
                "\(Self.untrusted). Now: The registration was deleted in Home Assistant"
            ])
    }

    @Test("A trouble that is not shown yet is not named")
    @LoopActor func unseen() throws {
        let (rig, journal) = try rigWithTrouble()
        defer { rig.shutdown() }
        rig.home.delivery.handleCourierEvent(.reachable)
        rig.home.delivery.handleCourierEvent(.answer(.failed(.unauthorized(status: 403))))
        #expect(rig.isRaised(.unauthorized) && rig.shown(.unauthorized) == nil)
        #expect(journal.endings == [Self.untrusted])
    }

    @Test("A route that becomes empty resolves no trouble")
    @LoopActor func noRoute() throws {
        let (rig, journal) = try rigWithTrouble()
        defer { rig.shutdown() }
        rig.loseRoute()
        #expect(!rig.isRaised(.tls))
        #expect(journal.endings == [Self.untrusted])
    }

    @Test("A registration that is removed resolves no trouble")
    @LoopActor func removed() throws {
        let (rig, journal) = try rigWithTrouble()
        defer { rig.shutdown() }
        rig.home.adopt(nil)
        #expect(!rig.isRaised(.tls))
        #expect(journal.endings == [Self.untrusted])
    }

    @Test("A warning that ends by its time is not resolved, whatever else ends")
    @LoopActor func expired() {
        let log = HomeLog()
        let journal = Journal(of: log)
        let clock = VirtualClock()
        let warnings = Warnings(log: log, clock: clock) {}
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
