import CGIO
import Glibc
import HomingRuntime
import Testing

@testable import HomingBus
@testable import HomingSources

@Suite struct BusTests {
    init() { TestLoop.start() }

    /// Subscriber that keeps what it was told, in order.
    @LoopActor private final class Subscriber: BusSubscriber {
        var told: [Bool] = []
        func busConnected(_ connection: OpaquePointer) { told.append(true) }
        func busDisconnected() { told.append(false) }
    }

    @Test("the bus dies, and is found when it comes back")
    @LoopActor func reopens() async throws {
        let daemon = try await PrivateBus()
        let bus = Bus(
            .at(daemon.address), rhythm: .patient(quick: 0.1, patience: 120, slow: 60),
            clock: SystemClock())
        let subscriber = Subscriber()
        bus.subscribe(subscriber)
        bus.open()
        try await eventually("a connection") { bus.isConnected }
        daemon.stop()
        try await eventually("its end") { !bus.isConnected }
        try await daemon.start()
        try await eventually("a connection") { bus.isConnected }
        #expect(subscriber.told == [true, false, true])
        bus.shutdown()
    }

    @Test("an absent bus is told once, however often it is tried; late subscribers are told too")
    @LoopActor func tellsAbsence() async throws {
        let bus = Bus(
            .at("unix:path=/nonexistent/bus"),
            rhythm: .patient(quick: 0.05, patience: 120, slow: 60), clock: SystemClock())
        let subscriber = Subscriber()
        bus.subscribe(subscriber)
        bus.open()
        try await eventually("the news") { !subscriber.told.isEmpty }
        await Watch.pause(0.5)
        let late = Subscriber()
        bus.subscribe(late)
        #expect(subscriber.told == [false] && late.told == [false])
        bus.shutdown()
    }

    @Test("an address that is none is an absent bus")
    @LoopActor func bearsBadAddress() async throws {
        let bus = Bus(
            .at("nonsense"), rhythm: .patient(quick: 0.05, patience: 120, slow: 60),
            clock: SystemClock())
        let subscriber = Subscriber()
        bus.subscribe(subscriber)
        bus.open()
        try await eventually("the news") { subscriber.told == [false] }
        bus.shutdown()
    }

    @Test("without an address it is the bus that DBUS_SYSTEM_BUS_ADDRESS names")
    @LoopActor func obeysEnvironment() async throws {
        let daemon = try await PrivateBus()
        setenv("DBUS_SYSTEM_BUS_ADDRESS", daemon.address, 1)
        defer { unsetenv("DBUS_SYSTEM_BUS_ADDRESS") }
        let bus = Bus(.system, clock: SystemClock())
        bus.open()
        try await eventually("a connection") { bus.isConnected }
        bus.shutdown()
        #expect(!bus.isConnected)
    }

    @Test("a bus that accepts and does not greet is given up, and found when it thaws")
    @LoopActor func givesUpFrozenBus() async throws {
        let daemon = try await PrivateBus()
        daemon.freeze(true)
        let bus = Bus(
            .at(daemon.address), rhythm: .patient(quick: 0.2, patience: 120, slow: 60),
            clock: SystemClock())
        let subscriber = Subscriber()
        bus.subscribe(subscriber)
        bus.open()
        try await eventually("the giving up; \(subscriber.told)", within: 60) {
            subscriber.told == [false]
        }
        daemon.freeze(false)
        try await eventually("a connection") { bus.isConnected }
        bus.shutdown()
    }
}
