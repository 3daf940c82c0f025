import Glibc
import HomingMachine
import HomingRuntime
import Testing

@testable import HomingBus
@testable import HomingSources

@Suite(.serialized) struct LogindSourceTests {
    private let recorder: Recorder
    private let privateBus: PrivateBus

    init() async throws {
        TestLoop.start()
        recorder = Recorder()
        privateBus = try await PrivateBus()
    }

    /// A source on the private bus, started; with a patience that no test waits for.
    @LoopActor private func start(
        patience: Seconds = 600
    ) -> (bus: Bus, source: LogindSource) {
        let bus = Bus(
            .at(privateBus.address), rhythm: .patient(quick: 0.2, patience: 120, slow: 60),
            clock: SystemClock())
        let source = LogindSource(
            bus: bus, patience: patience, clock: SystemClock(), deliver: recorder.deliver)
        source.start()
        bus.open()
        return (bus, source)
    }

    @Test("sleep waits until we are ready, each time anew")
    @LoopActor func holdsSleep() async throws {
        let logind = try await privateBus.mock("logind")
        let (bus, source) = start()
        for _ in 1...3 {
            try await logind("locks 1")
            try await logind("prepare yes")
            try await recorder.next(.sleep(.preparing))
            try await logind("locks 1")
            source.readyForSleep()
            try await logind("locks 0")
            try await logind("prepare no")
            try await recorder.next(.sleep(.awake))
        }
        #expect(recorder.seen.count == 6)
        source.shutdown()
        bus.shutdown()
    }

    @Test("sleep waits for its patience and no longer where nobody says that we are ready")
    @LoopActor func losesPatience() async throws {
        let logind = try await privateBus.mock("logind")
        let (bus, source) = start(patience: 0.3)
        try await logind("locks 1")
        try await logind("suspend")
        try await recorder.next(.sleep(.preparing))
        try await logind("prepare no")
        try await logind("locks 1")
        source.shutdown()
        bus.shutdown()
    }

    @Test("who is ready when nobody sleeps keeps the lock for the next time")
    @LoopActor func readyTooEarly() async throws {
        let logind = try await privateBus.mock("logind")
        let (bus, source) = start()
        try await logind("locks 1")
        source.readyForSleep()
        try await logind("prepare yes")
        try await recorder.next(.sleep(.preparing))
        try await logind("locks 1")
        source.shutdown()
        bus.shutdown()
    }

    @Test("sleep that is called off leaves the lock, and says so")
    @LoopActor func calledOff() async throws {
        let logind = try await privateBus.mock("logind")
        let (bus, source) = start()
        try await logind("locks 1")
        try await logind("prepare yes")
        try await logind("prepare yes")
        try await logind("prepare no")
        try await recorder.next(.sleep(.awake))
        try await logind("locks 1")
        #expect(recorder.seen == [.sleep(.preparing), .sleep(.awake)])
        source.shutdown()
        bus.shutdown()
    }

    @Test("a logind that grants no lock still tells of sleep")
    @LoopActor func withoutLock() async throws {
        let logind = try await privateBus.mock("logind")
        try await logind("refuse")
        let (bus, source) = start()
        // The subscription and the refused call reach the bus before this is asked of it.
        try await eventually("a connection") { bus.isConnected }
        let upower = ObjectsSource.power(bus: bus, deliver: recorder.deliver)
        upower.start()
        try await recorder.next(.power(.mains))
        try await logind("suspend")
        try await recorder.next(.sleep(.preparing))
        source.readyForSleep()
        try await logind("prepare no")
        try await recorder.next(.sleep(.awake))
        upower.shutdown()
        source.shutdown()
        bus.shutdown()
    }

    @Test("without logind there is nothing, until it comes, goes and comes back")
    @LoopActor func followsLogind() async throws {
        let (bus, source) = start()
        try await eventually("a connection") { bus.isConnected }
        let logind = try await privateBus.mock("logind")
        try await logind("locks 1")
        logind.stop()
        let another = try await privateBus.mock("logind")
        try await another("locks 1")
        try await another("prepare yes")
        try await recorder.next(.sleep(.preparing))
        #expect(recorder.seen.count == 1)
        source.shutdown()
        bus.shutdown()
    }

    @Test("a logind that dies before it sent us to sleep leaves us awake")
    @LoopActor func logindDies() async throws {
        let logind = try await privateBus.mock("logind")
        let (bus, source) = start()
        try await logind("locks 1")
        try await logind("prepare yes")
        try await recorder.next(.sleep(.preparing))
        logind.stop()
        try await recorder.next(.sleep(.awake))
        source.shutdown()
        bus.shutdown()
    }

    @Test("the bus dies and comes back, and logind with it")
    @LoopActor func survivesBus() async throws {
        let logind = try await privateBus.mock("logind")
        let (bus, source) = start()
        try await logind("locks 1")
        try await logind("prepare yes")
        try await recorder.next(.sleep(.preparing))
        privateBus.stop()
        try await recorder.next(.sleep(.awake))
        try await privateBus.start()
        let another = try await privateBus.mock("logind")
        try await another("locks 1")
        source.shutdown()
        bus.shutdown()
    }

    @Test("a logind that the bus could start is left alone")
    @LoopActor func startsNothing() async throws {
        privateBus.stop()
        let mark = try privateBus.offer("org.freedesktop.login1")
        try await privateBus.start()
        let (bus, source) = start()
        try await eventually("a connection") { bus.isConnected }
        await Watch.pause(0.3)
        #expect(access(mark, F_OK) != 0)
        source.shutdown()
        bus.shutdown()
    }

    @Test("a source that is shut down lets the lock go and hears nothing more")
    @LoopActor func shutsDown() async throws {
        let logind = try await privateBus.mock("logind")
        let (bus, source) = start()
        try await logind("locks 1")
        source.shutdown()
        try await logind("suspend")
        try await logind("prepare no")
        source.start()
        try await logind("locks 1")
        try await logind("prepare yes")
        try await recorder.next(.sleep(.preparing))
        #expect(recorder.seen.count == 1)
        source.shutdown()
        bus.shutdown()
    }
}
