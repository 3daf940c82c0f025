import Glibc
import HomingMachine
import HomingRuntime
import Testing

@testable import HomingBus
@testable import HomingSources

@Suite(.serialized) struct UPowerSourceTests {
    private let recorder: Recorder
    private let privateBus: PrivateBus

    init() async throws {
        TestLoop.start()
        recorder = Recorder()
        privateBus = try await PrivateBus()
    }

    /// A source on the private bus, started.
    @LoopActor private func start() -> (bus: Bus, source: ObjectsSource) {
        let bus = Bus(
            .at(privateBus.address), rhythm: .patient(quick: 0.2, patience: 120, slow: 60),
            clock: SystemClock())
        let source = ObjectsSource.power(bus: bus, deliver: recorder.deliver)
        source.start()
        bus.open()
        return (bus, source)
    }

    private func battery(_ percentage: Double?, onBattery: Bool = false) -> Observation {
        .power(PowerState(batteryPercentage: percentage, onBattery: onBattery))
    }

    @Test("battery and mains are delivered as they change, and only then")
    @LoopActor func followsBattery() async throws {
        let upower = try await privateBus.mock("upower")
        let (bus, source) = start()
        try await recorder.next(.power(.mains))
        try await upower("battery 42.5")
        try await recorder.next(battery(42.5))
        try await upower("on_battery yes")
        try await recorder.next(battery(42.5, onBattery: true))
        for second in 1...5 { try await upower("update_time \(second)") }
        try await upower("battery 41")
        try await recorder.next(battery(41, onBattery: true))
        try await upower("no_battery")
        try await recorder.next(battery(nil, onBattery: true))
        try await upower("on_battery no")
        try await recorder.next(.power(.mains))
        #expect(recorder.seen.count == 6)
        source.shutdown()
        bus.shutdown()
    }

    @Test("without UPower the machine is on the mains, until UPower comes, goes and comes back")
    @LoopActor func followsUPower() async throws {
        let (bus, source) = start()
        try await recorder.next(.power(.mains))
        let upower = try await privateBus.mock("upower")
        try await upower("battery 80")
        try await recorder.next(battery(80))
        upower.stop()
        try await recorder.next(.power(.mains))
        let another = try await privateBus.mock("upower")
        try await another("battery 79")
        try await recorder.next(battery(79))
        source.shutdown()
        bus.shutdown()
    }

    @Test("a UPower that the bus could start is left alone")
    @LoopActor func startsNothing() async throws {
        privateBus.stop()
        let mark = try privateBus.offer("org.freedesktop.UPower")
        try await privateBus.start()
        let (bus, source) = start()
        try await recorder.next(.power(.mains))
        await Watch.pause(0.3)
        #expect(access(mark, F_OK) != 0)
        source.shutdown()
        bus.shutdown()
    }

    @Test("a percentage that is no number is no percentage, and one out of range is its border")
    @LoopActor func readsAbsurdPercentages() async throws {
        let upower = try await privateBus.mock("upower")
        try await upower("battery 120")
        let (bus, source) = start()
        try await recorder.next(battery(100))
        try await upower("battery nan")
        try await recorder.next(battery(nil))
        source.shutdown()
        bus.shutdown()
    }

    @Test("the bus dies and comes back, and UPower with it")
    @LoopActor func survivesBus() async throws {
        let upower = try await privateBus.mock("upower")
        try await upower("battery 50")
        let (bus, source) = start()
        try await recorder.next(battery(50))
        privateBus.stop()
        try await recorder.next(.power(.mains))
        #expect(!bus.isConnected)
        try await privateBus.start()
        let another = try await privateBus.mock("upower")
        try await another("battery 49")
        try await recorder.next(battery(49))
        source.shutdown()
        bus.shutdown()
    }
}
