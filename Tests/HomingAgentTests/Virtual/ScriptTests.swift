import Glibc
import HomingDelivery
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Scripts for a day: real processes on a virtual clock.
@Suite(.serialized) struct ScriptTests {
    private let folder: TemporaryFolder
    private var scripts: String { "\(folder.path)/sensors.d" }

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
    }

    /// A script that says how often it has run.
    private func script(_ name: String, _ fields: String = "") throws {
        let runs = "\(folder.path)/\(name).runs"
        try folder.writeProgram(
            """
            #!/bin/sh
            echo run >>\(runs)
            state=$(grep -c run \(runs))
            echo '{\(fields)"sensors":[{"unique_id":"x","name":"X","state":"'$state'"}]}'

            """, to: "sensors.d/\(name)")
        chmod(scripts, 0o755)
    }

    private func runs(_ name: String) -> Int {
        HostFiles().lines("\(folder.path)/\(name).runs").count
    }

    @Test("Each script runs at its own interval for a day, and what it says is told")
    @LoopActor func day() async throws {
        try script("usual")
        try script("slow", "\"interval\":3600,")
        let flight = try VirtualAgent(sensors: ["script"], scripts: scripts)
        defer { flight.stop() }
        let accepted = { try flight.ledger(.sensors).accepted }
        try await flight.turn { try accepted() == 2 }
        let first = (runs("usual"), runs("slow"))
        for quarter in 1...96 {
            flight.clock.pass(890)
            #expect(try accepted() == 2 + (quarter - 1) + (quarter - 1) / 4)
            flight.clock.pass(10)
            try await flight.turn { try accepted() == 2 + quarter + quarter / 4 }
        }
        #expect(runs("usual") - first.0 == 96 && runs("slow") - first.1 == 24)
        flight.clock.pass(60)
        let shown = flight.home.homeAssistant.sensors.shown["script_slow_x"] ?? ""
        #expect(shown.contains("\"state\":\"\(runs("slow"))\""), "\(shown)")
        printFigure("96 and 24 runs of two scripts in a day, each told")
    }
}
