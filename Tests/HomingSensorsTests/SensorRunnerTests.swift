import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSensors

/// Says what the file `/thing` holds, one reading a line; fails at the word `bad`.
private struct ThingSensor: MachineSensor {
    static let description = SensorDescription(
        "thing", "Thing", icon: "mdi:eye", summary: "A thing.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/thing`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let lines = machine.files.lines("/thing")
        if lines.contains("bad") { throw SensorFailure("/thing", holds: "bad") }
        return lines.map { SensorReading(Self.description.one(String($0), named: "T"), .text("x")) }
    }
}

private struct ChangeSensor: MachineSensor {
    static let description = SensorDescription(
        "version", "Version", icon: "mdi:eye", summary: "A version.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "the state"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        machine.state.homing.map { [SensorReading(Self.description, .text($0.version))] } ?? []
    }
}

@Suite struct SensorRunnerTests {
    private let folder: TemporaryFolder
    private let start = Moment(uptime: 1000, unixTime: 1_763_730_000)

    init() throws { folder = try TemporaryFolder() }

    private func machine(_ things: String, after seconds: Seconds = 0) throws -> MachineView {
        try folder.write(things, to: "thing")
        var state = MachineState()
        state.homing = HomingState(version: "1")
        return MachineView(
            files: HostFiles(root: folder.path), state: state, now: start.advanced(by: seconds))
    }

    private func runner(_ choice: SensorChoice = SensorChoice()) -> SensorRunner {
        SensorRunner([ThingSensor.self, ChangeSensor.self], choice: choice)
    }

    /// Ids, those that are gone with a minus.
    private func ids(_ round: SensorRound) -> [String] {
        round.readings.map { ($0.state == .unavailable ? "-" : "") + $0.sensor.uniqueID }
    }

    @Test("a tick reads everything, another occasion what it is for")
    func occasions() throws {
        var runner = runner()
        let machine = try machine("a\n")
        #expect(ids(runner.read(.change, machine) { start }) == ["version"])
        #expect(ids(runner.read(.devices, machine) { start }).isEmpty)
        #expect(ids(runner.read(.tick, machine) { start }) == ["thing_a", "version"])
    }

    @Test("what was there and is no more is unavailable, once")
    func gone() throws {
        var runner = runner()
        _ = runner.read(.tick, try machine("a\nb\nc\n")) { start }
        #expect(
            ids(runner.read(.tick, try machine("b\n")) { start })
                == ["thing_b", "-thing_a", "-thing_c", "version"])
        #expect(ids(runner.read(.tick, try machine("b\n")) { start }) == ["thing_b", "version"])
    }

    @Test("of two things with the same id the first has it")
    func sameID() throws {
        var runner = runner()
        #expect(
            ids(runner.read(.tick, try machine("a b\na-b\n")) { start }) == [
                "thing_a_b", "version",
            ])
    }

    @Test("a failure leaves what was said last, until the sensor is switched off; then it is gone")
    func failing() throws {
        var runner = runner()
        _ = runner.read(.tick, try machine("a\n")) { start }
        for _ in 0..<2 {
            let round = runner.read(.tick, try machine("bad\n")) { start }
            #expect(ids(round) == ["version"])
            #expect(round.notices.isEmpty)
        }
        let third = runner.read(.tick, try machine("bad\n")) { start }
        #expect(ids(third) == ["-thing_a", "version"])
        #expect(
            third.notices == [.switchedOff("sensor thing", because: "/thing holds \"bad\"")])
        #expect(ids(runner.read(.tick, try machine("a\n", after: 3599)) { start }) == ["version"])
        let later = start.advanced(by: 3600)
        let again = runner.read(.tick, try machine("a\n", after: 3600)) { later }
        #expect(ids(again) == ["thing_a", "version"])
        #expect(again.notices == [.worksAgain("sensor thing")])
    }

    @Test("a sensor that holds up the loop is switched off after three times")
    func slow() throws {
        var runner = SensorRunner([ThingSensor.self])
        var now = start
        let machine = try machine("a\n")
        for round in 1...3 {
            let result = runner.read(.tick, machine) {
                now = now.advanced(by: 0.051)
                return now
            }
            #expect(result.notices.count == (round == 3 ? 1 : 0))
            #expect(ids(result) == (round == 3 ? ["-thing_a"] : ["thing_a"]))
        }
    }

    @Test("what the configuration switches off is not read, and is gone; one of several too")
    func choice() throws {
        var runner = runner()
        let machine = try machine("a\nb\n")
        _ = runner.read(.tick, machine) { start }
        runner.choice = SensorChoice(disable: ["thing_b", "version"])
        #expect(
            ids(runner.read(.tick, machine) { start }) == ["thing_a", "-thing_b", "-version"])
        runner.choice = SensorChoice(enable: ["thing_b"], disable: ["all"])
        #expect(ids(runner.read(.tick, machine) { start }) == ["thing_b", "-thing_a"])
        runner.choice = SensorChoice(disable: ["thing"])
        let bad = try self.machine("bad\n")
        let round = runner.read(.tick, bad) { start }
        #expect(ids(round) == ["-thing_b", "version"])
    }

    @Test("an id decides before its family, that before all, and all before the sensor itself")
    func precedence() {
        let shy = SensorDescription(
            "shy", "Shy", icon: "mdi:eye", offBecause: "it is shy", summary: "Shy.")
        let one = ThingSensor.description.one("a", named: "A")
        #expect(!SensorChoice().isOn(shy))
        #expect(SensorChoice().isOn(one))
        #expect(SensorChoice(enable: ["shy"]).isOn(shy))
        #expect(SensorChoice(enable: ["all"]).isOn(shy))
        #expect(!SensorChoice(enable: ["shy"], disable: ["shy"]).isOn(shy))
        #expect(!SensorChoice(enable: ["all"], disable: ["all"]).isOn(one))
        #expect(SensorChoice(enable: ["thing_a"], disable: ["thing"]).isOn(one))
        #expect(!SensorChoice(enable: ["thing"], disable: ["thing_a"]).isOn(one))
        #expect(SensorChoice(enable: ["thing"], disable: ["all"]).isOn(one))
    }

    @Test("the word script stands for what all scripts say, and for nothing else")
    func scripts() {
        let van = SensorDescription(
            "script_van", "Van", icon: "mdi:van-utility", summary: "Van."
        ).one("fridge", named: "Fridge")
        let thing = ThingSensor.description.one("a", named: "A")
        #expect(!SensorChoice(disable: ["script"]).isOn(van))
        #expect(SensorChoice(disable: ["script"]).isOn(thing))
        #expect(SensorChoice(enable: ["script"], disable: ["all"]).isOn(van))
        #expect(!SensorChoice(enable: ["script"], disable: ["all"]).isOn(thing))
        #expect(SensorChoice(enable: ["script_van"], disable: ["script"]).isOn(van))
        #expect(!SensorChoice(enable: ["script"], disable: ["script_van_fridge"]).isOn(van))
        #expect(!SensorChoice(enable: ["script"], disable: ["script"]).isOn(van))
    }

    @Test("a script none of whose sensors is on need not run")
    func scriptsThatRun() {
        let runs = { (enable: [String], disable: [String]) in
            SensorChoice(enable: enable, disable: disable).mayBeOn(script: "van-1")
        }
        #expect(runs([], []) && runs(["script"], ["all"]) && runs(["script_van_1"], ["all"]))
        #expect(runs(["script_van_1_fridge"], ["script"]) && runs([], ["script_van_1_fridge"]))
        #expect(!runs([], ["all"]) && !runs([], ["script"]) && !runs([], ["script_van_1"]))
        #expect(!runs(["script_car"], ["script"]) && !runs(["battery_level"], ["all"]))
    }

    @Test("a word in the configuration that stands for no sensor is named")
    func unknown() {
        let choice = SensorChoice(
            enable: ["all", "ip_address", "disk_usage_home", "ip"],
            disable: ["script_room_temperature", "script", "batery_level", "ssid"])
        #expect(choice.unknown == ["batery_level", "ip"])
    }
}
