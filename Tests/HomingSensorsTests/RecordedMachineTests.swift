import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSensors

@Suite struct RecordedMachineTests {
    @Test("a recorded machine says what it said last time", arguments: RecordedMachine.all)
    func golden(_ recorded: RecordedMachine) {
        let round = recorded.readings()
        #expect(round.notices.isEmpty)
        let difference = Golden.difference(
            text(of: round.readings), from: "\(Golden.folder())/\(recorded.name).txt")
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test("on a bare container there is nothing to say, and nothing fails")
    func container() throws {
        let folder = try TemporaryFolder()
        let machine = RecordedMachine.container.machine(root: folder.path)
        for type in SensorCatalog.sensors {
            var sensor = type.init()
            #expect(try sensor.read(machine).isEmpty, "\(type)")
        }
    }

    @Test(
        "every state fits its sensor, so that Home Assistant can show it",
        arguments: RecordedMachine.all)
    func fits(_ recorded: RecordedMachine) {
        for reading in recorded.readings().readings {
            let problem = reading.sensor.problem ?? reading.sensor.problem(with: reading.state)
            #expect(problem == nil, "\(reading.sensor.uniqueID): \(String(describing: problem))")
        }
    }

    @Test("the machine this test runs on is read in time, and nothing fails")
    func thisMachine() {
        var runner = SensorRunner(choice: SensorChoice(enable: [SensorChoice.all]))
        let machine = MachineView(state: MachineState(), now: SystemClock.now())
        for _ in 0..<3 {
            #expect(runner.read(.tick, machine) { machine.now }.notices.isEmpty)
        }
    }

    @Test("with the defaults nothing private is said", arguments: RecordedMachine.all)
    func defaults(_ recorded: RecordedMachine) {
        var runner = SensorRunner()
        let readings = runner.read(.tick, recorded.machine()) { RecordedMachine.now }.readings
        let ids = Set(readings.map(\.sensor.family))
        #expect(ids.isDisjoint(with: ["ip_address", "logged_in_users", "media_title"]))
        #expect(readings.allSatisfy { $0.sensor.offBecause == nil })
    }
}
