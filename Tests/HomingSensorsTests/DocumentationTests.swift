import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSensors

@Suite struct DocumentationTests {
    init() { LoopThread.start() }

    @Test("the table of docs/sensors.md is what the catalogue gives")
    func table() throws {
        let (begin, end) = ("<!-- catalogue -->\n", "<!-- end of the catalogue -->\n")
        let page = try Page("sensors.md").text
        let head = try #require(page.firstRange(of: begin))
        let tail = try #require(page.firstRange(of: end))
        let text = page[..<head.upperBound] + SensorTable.markdown() + page[tail.lowerBound...]
        let file = "\(Repository.root)/docs/sensors.md"
        let difference = Golden.difference(String(text), from: file)
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test("the scripts of docs/sensors.md work as they stand there")
    @LoopActor func scripts() async throws {
        let page = try Page("sensors.md")
        let scripts = page.code(in: "sh") + page.code(in: "python")
        let examples = scripts.filter { $0.hasPrefix("#!") }
        #expect(examples.count == 2)
        let installed = "\(Repository.root)/packaging/examples/sensors.d/debian-updates"
        #expect(HostFiles().text(installed) == examples.first, "the page shows what is installed")
        for example in examples {
            let folder = try TemporaryFolder()
            let file = try folder.writeProgram(example, to: "example")
            let result: ChildProcess.Result = try await withCheckedThrowingContinuation { waiting in
                do {
                    _ = try ChildProcess(file, timeout: 60, limit: ScriptOutput.limit) {
                        waiting.resume(returning: $0)
                    }
                } catch {
                    waiting.resume(throwing: error)
                }
            }
            let output = try ScriptOutput.reading(result, of: "example").get()
            #expect(!output.readings.isEmpty)
        }
    }

    @Test("the output that docs/sensors.md shows is one")
    func output() throws {
        let json = try #require(try Page("sensors.md").code(in: "json").first)
        let output = try ScriptOutput(Array(json.utf8), of: "van")
        #expect(output.readings.map(\.sensor.uniqueID) == ["script_van_fridge", "script_van_pump"])
        #expect(output.interval == 300 && output.timeout == 5)
    }

    @Test("the sensor of docs/adding-a-sensor.md is EntropySensor.swift, which is compiled here")
    func template() throws {
        let template = try Page("adding-a-sensor.md").code(under: "1. The file")
        let file = "\(Repository.root)/Tests/HomingSensorsTests/EntropySensor.swift"
        let compiled = try #require(HostFiles().text(file))
        #expect(compiled.replacing("@testable import HomingSensors\n\n", with: "") == template)
    }

    @Test("the sensor of docs/adding-a-sensor.md does what the page says")
    func templateRuns() throws {
        #expect(EntropySensor.descriptions.allSatisfy { $0.problem == nil })
        let folder = try TemporaryFolder()
        let machine = MachineView(
            files: HostFiles(root: folder.path), state: MachineState(), now: RecordedMachine.now)
        var runner = SensorRunner([EntropySensor.self])
        #expect(runner.read(.tick, machine) { machine.now }.readings.isEmpty)
        try folder.write("256\n", to: "proc/sys/kernel/random/entropy_avail")
        let readings = runner.read(.tick, machine) { machine.now }.readings
        #expect(readings == [SensorReading(EntropySensor.description, .whole(256))])
        try folder.write("much\n", to: "proc/sys/kernel/random/entropy_avail")
        var sensor = EntropySensor()
        let failure = try thrown(SensorFailure.self) { try sensor.read(machine) }
        #expect(
            failure?.message == "/proc/sys/kernel/random/entropy_avail holds \"much\"")
    }
}
