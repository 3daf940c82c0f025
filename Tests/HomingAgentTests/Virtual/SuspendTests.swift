import HomingDelivery
import HomingMachine
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// The machine sleeps for a night: the whole agent on a virtual clock, whose timers stand still
/// meanwhile as the loop's do.
@Suite(.serialized) struct SuspendTests {
    init() { LoopThread.start() }

    /// Sources that tell that the machine is awake.
    enum Told: String, CaseIterable {
        case byLogind = "logind"
        case byNetworkManager = "NetworkManager"
        case byBoth = "both"
        case byNobody = "nobody"

        var hasLogind: Bool { self == .byLogind || self == .byBoth }
        var hasNetworkManager: Bool { self == .byNetworkManager || self == .byBoth }
        /// Seconds until the first request: with nobody's word the rest that was begun before goes
        /// on, five minutes at most.
        var patience: Seconds { self == .byNobody ? 301 : 10 }
    }

    private static let night: Seconds = 8 * 3600
    private static let online = network(.wired(id: "Desk", uuid: "1"), .full)
    private static let offline = network(nil, .none)

    private static func network(
        _ primary: PrimaryConnection?, _ connectivity: Connectivity
    ) -> Observation {
        .network(
            .known(
                NetworkState.Network(
                    primary: primary, connectivity: connectivity, metered: false)))
    }

    /// Returns an agent that drives and delivers by the cloud, and its most requests a minute.
    @LoopActor private func flying() throws -> (flight: VirtualAgent, usual: Int) {
        let flight = try VirtualAgent()
        flight.drive(for: 60)
        flight.agent.machine.observe(Self.online)
        flight.drive(for: 600)
        return (flight, flight.home.most(in: 60))
    }

    /// Sleeps and wakes; what the receiver had said before, and nobody had read, is read first.
    @LoopActor private func sleep(_ flight: VirtualAgent, _ told: Told) {
        let machine = flight.agent.machine
        let unread = flight.report()
        if told.hasLogind { machine.observe(.sleep(.preparing)) }
        if told.hasNetworkManager { machine.observe(Self.offline) }
        flight.clock.pass(1)
        flight.clock.sleep(Self.night)
        flight.home.failure = nil
        flight.home.forgetRequests()
        if told.hasLogind { machine.observe(.sleep(.awake)) }
        if told.hasNetworkManager { machine.observe(Self.online) }
        machine.observe(unread)
    }

    @Test(
        "After a night what was queued goes home soon, as history, and nothing old is told as new",
        arguments: Told.allCases)
    @LoopActor func night(told: Told) throws {
        let (flight, usual) = try flying()
        defer { flight.stop() }
        flight.home.failure = .failed(.network("no route to host"))
        flight.drive(for: 1200)
        let accepted = try flight.positions().accepted
        let live = flight.home.homeAssistant.live
        sleep(flight, told)
        let awake = flight.clock.now().uptime
        flight.clock.pass(told.patience)
        let first = try #require(flight.home.requests.first) - awake
        #expect(first <= told.patience)
        #expect(try flight.positions().accepted == accepted, "what was said before the night")
        #expect(flight.home.homeAssistant.live == live, "no news yet")
        flight.drive(for: 600)
        _ = try #require(try flight.drain(within: 160))
        let most = flight.home.most(in: 60)
        // The history and its proof come to what there is without a night; and where both tell, what
        // was asked at the first word is broken off by the second.
        #expect(most <= usual + 3)
        let news = flight.home.homeAssistant.live.dropFirst(live.count)
        #expect(Array(news) == Array(Int64(accepted + 1)...Int64(accepted + 20)))
        #expect(try flight.positions()[.deliveredTrack] == 40)
        #expect(try flight.violations() == [])
        printFigure(
            "a night, told by \(told.rawValue): asks \(Int(first.rounded(.up))) s after it, "
                + "at most \(most) requests a minute (\(usual) without it)")
    }

    @Test(
        "A night in the middle of a batch makes history of the rest",
        arguments: [Told.byNobody, .byNetworkManager])
    @LoopActor func batch(told: Told) throws {
        let (flight, _) = try flying()
        defer { flight.stop() }
        flight.home.failure = .failed(.network("no route to host"))
        flight.drive(for: 240, every: 10)
        flight.home.failure = nil
        flight.home.forgetRequests()
        flight.agent.home.delivery.handleCourierEvent(.flush)
        // The first is proved, the third on its way: the rest has been read.
        for _ in 0..<200 where flight.home.updates.positions.count < 3 { flight.clock.pass(0.01) }
        #expect(flight.home.updates.positions.count == 3)
        let live = flight.home.homeAssistant.live.count
        flight.clock.sleep(Self.night)
        if told.hasNetworkManager { flight.agent.machine.observe(Self.offline) }
        _ = try #require(try flight.drain(within: 400))
        // The one on its way was told before.
        #expect(flight.home.homeAssistant.live.count - live <= 1)
        #expect(try flight.positions()[.deliveredTrack] == 24 - 3)
        #expect(try flight.violations() == [])
    }

    @Test("A nap shorter than a position is news changes nothing", arguments: Told.allCases)
    @LoopActor func nap(told: Told) throws {
        let (flight, _) = try flying()
        defer { flight.stop() }
        let live = flight.home.homeAssistant.live.count
        for _ in 0..<20 {
            flight.home.failure = .failed(.network("no route to host"))
            flight.drive()
            if told.hasLogind { flight.agent.machine.observe(.sleep(.preparing)) }
            flight.clock.pass(1)
            flight.clock.sleep(120)
            flight.home.failure = nil
            if told.hasLogind { flight.agent.machine.observe(.sleep(.awake)) }
            if told.hasNetworkManager {
                flight.agent.machine.observe(Self.offline)
                flight.agent.machine.observe(Self.online)
            }
            flight.clock.pass(10)
        }
        #expect(flight.home.homeAssistant.live.count == live + 20)
        _ = try #require(try flight.drain(within: 301))
        #expect(try flight.positions()[.deliveredTrack] == 0)
        #expect(try flight.violations() == [])
    }
}
