import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSensors

/// Whether somebody has done so here already.
private let isDone = HostFiles().exists(
    "\(Repository.root)/Sources/HomingSensors/Catalog/EntropySensor.swift")

/// Somebody adds the sensor of docs/adding-a-sensor.md by that page alone: what the checks of the
/// catalogue say of it, and of each step that is left out. `make test-newcomer` does the same in a
/// copy of the repository, with the commands of the page.
@Suite(.enabled(if: !isDone, "the sensor of the page is in the catalogue"))
struct NewcomerTests {
    enum Step: CaseIterable {
        case line
        case recording
        case row
    }

    @Test("who has followed docs/adding-a-sensor.md is done")
    func followed() async throws {
        let found = try await problems(leavingOut: nil)
        #expect(found == [])
    }

    @Test(
        "a step of docs/adding-a-sensor.md that is left out is named",
        arguments: zip(
            Step.allCases,
            [
                "EntropySensor.swift has no line in SensorCatalog",
                "entropy: record what it reads in Tests/HomingSensorsTests/Machines",
                "entropy: docs/sensors.md has no such row, or it says something else",
            ]))
    func leftOut(_ step: Step, _ problem: String) async throws {
        let found = try await problems(leavingOut: step)
        #expect(found == [problem])
    }

    /// Returns the problems of today's catalogue with the sensor of the page.
    private func problems(leavingOut missing: Step?) async throws -> [String] {
        let page = try Page("adding-a-sensor.md")
        let folder = try TemporaryFolder()
        var check = CatalogCheck(page: try Page("sensors.md").text)
        #expect(page.text.contains("`Sources/HomingSensors/Catalog/EntropySensor.swift`:"))
        check.files.append("EntropySensor")
        if missing != .line {
            #expect(try page.code(under: "2. The line") == "        EntropySensor.self,\n")
            check.sensors.append(EntropySensor.self)
        }
        if missing != .recording {
            try await run(try page.code(under: "3. The recording"), in: folder)
            let recorded = folder.file("Tests/HomingSensorsTests/Machines/laptop")
            check.machines.append((RecordedMachine.laptop, recorded))
        }
        if missing != .row {
            for row in SensorTable.rows(of: [EntropySensor.self]) { check.page += "\(row.text)\n" }
        }
        return check.problems
    }

    private func run(_ script: String, in folder: TemporaryFolder) async throws {
        LoopThread.start()
        let result = try await Self.result(of: "cd '\(folder.path)'\n\(script)")
        #expect(
            result.ending == .exited(0), "\(String(decoding: result.errors, as: UTF8.self))")
    }

    @LoopActor private static func result(of script: String) async throws -> ChildProcess.Result {
        try await withCheckedThrowingContinuation { waiting in
            do {
                _ = try ChildProcess("/bin/sh", ["-ec", script], timeout: 20, limit: 65_536) {
                    waiting.resume(returning: $0)
                }
            } catch {
                waiting.resume(throwing: error)
            }
        }
    }
}
