import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSensors

/// Record of what a runner said, and a way to wait for the next text.
@LoopActor private final class Heard {
    private var said: [String] = []
    private var waiting: (@LoopActor (String) -> Void)?

    func note(_ text: String) {
        guard let waiting else { return said.append(text) }
        self.waiting = nil
        waiting(text)
    }

    func note(_ readings: [SensorReading]) {
        let texts = readings.map { "\($0.sensor.uniqueID) \(text(of: $0.state))" }
        note(texts.joined(separator: ", "))
    }

    /// Expects that to be the next thing said.
    func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        let said = await next()
        #expect(said == text, sourceLocation: sourceLocation)
    }

    /// The next thing said; gives up after 20 s.
    func next() async -> String {
        await withCheckedContinuation { continuation in
            // The loop may have turned, and brought something, at the `await`.
            if !said.isEmpty { return continuation.resume(returning: said.removeFirst()) }
            let deadline = Watch.timer(20) { [weak self] in
                self?.note("nothing")
                return .done
            }
            waiting = {
                deadline.cancel()
                continuation.resume(returning: $0)
            }
        }
    }
}

@Suite struct ScriptRunnerTests {
    private let folder: TemporaryFolder
    private let heard: Heard
    private var path: String { "\(folder.path)/sensors.d" }

    init() async throws {
        LoopThread.start()
        folder = try TemporaryFolder()
        heard = Heard()
    }

    private func script(_ name: String, _ text: String) throws {
        let made = try folder.writeProgram("#!/bin/sh\n\(text)\n", to: "new")
        try Folders.make(path, mode: 0o755)
        rename(made, "\(path)/\(name)")
    }

    private func answer(_ state: String, _ more: String = "") -> String {
        """
        echo '{\(more)"sensors": [{"unique_id": "x", "name": "X", "state": \(state)}]}'
        """
    }

    @LoopActor private func runner(
        interval: Seconds = 600, _ choice: SensorChoice = SensorChoice()
    ) -> ScriptRunner {
        let runner = ScriptRunner(
            folder: path, interval: interval, choice: choice, clock: SystemClock(),
            deliver: { heard.note($0) }, warn: { heard.note("! \($0)") })
        runner.start()
        return runner
    }

    @Test("each script runs, and what it says becomes readings")
    @LoopActor func runs() async throws {
        try script("a", answer("1"))
        try script("b", answer("\"two\""))
        let runner = runner()
        await heard.expect("script_a_x 1")
        await heard.expect("script_b_x \"two\"")
        runner.shutdown()
    }

    @Test("a script runs again after the interval it asks for, not after that of the others")
    @LoopActor func repeats() async throws {
        try script("a", "echo run >>\(folder.path)/runs; " + answer("1", "\"interval\": 3600, "))
        try script("b", answer("2"))
        let runner = runner(interval: 1)
        await heard.expect("script_a_x 1")
        for _ in 0..<3 { await heard.expect("script_b_x 2") }
        #expect(HostFiles().lines("\(folder.path)/runs").count == 1)
        runner.shutdown()
    }

    @Test("a sensor that the script no longer names is gone; so are all, when the script is")
    @LoopActor func gone() async throws {
        let output = "\(folder.path)/output"
        try folder.write(
            """
            {"sensors": [{"unique_id": "x", "name": "X", "state": 1},
             {"unique_id": "y", "name": "Y", "state": 2}]}
            """, to: "output")
        try script("a", "cat \(output)")
        let runner = runner(interval: 1)
        await heard.expect("script_a_x 1, script_a_y 2")
        try folder.write(
            "{\"sensors\": [{\"unique_id\": \"x\", \"name\": \"X\", \"state\": 1}]}", to: "output")
        var said = await heard.next()
        while said == "script_a_x 1, script_a_y 2" { said = await heard.next() }
        #expect(said == "script_a_x 1, script_a_y unavailable")
        unlink("\(path)/a")
        said = await heard.next()
        while said == "script_a_x 1" { said = await heard.next() }
        #expect(said == "script_a_x unavailable")
        runner.shutdown()
    }

    @Test("a wrong output is warned of once, by file and field; after the third it is given up")
    @LoopActor func wrong() async throws {
        try script("a", "echo run >>\(folder.path)/runs; " + answer("[]"))
        let runner = runner(interval: 1)
        await heard.expect("! \(path)/a: sensors[0].state is a list or an object")
        await heard.expect(
            "! \(path)/a keeps failing, and its sensors are unavailable: "
                + "sensors[0].state is a list or an object"
        )
        #expect(HostFiles().lines("\(folder.path)/runs").count == 3)
        runner.shutdown()
    }

    @Test(
        "a script that fails is warned of with its last words",
        arguments: [
            ("echo on no account >&2; exit 2", "it ended with status 2: \"on no account\""),
            ("kill -9 $$", "it was killed by signal 9"),
            ("true", "its output is empty"),
            ("head -c 70000 /dev/zero", "its output is larger than 64 kB; it was killed"),
        ])
    @LoopActor func fails(_ text: String, _ message: String) async throws {
        try script("a", text)
        let runner = runner()
        await heard.expect("! \(path)/a: \(message)")
        runner.shutdown()
    }

    @Test("what may not be run is warned of, and the others run")
    @LoopActor func refused() async throws {
        try script("a", answer("1"))
        try script("b", answer("2"))
        chmod("\(path)/a", 0o777)
        let runner = runner()
        await heard.expect("! \(path)/a can be written by everybody: it is not run")
        await heard.expect("script_b_x 2")
        runner.shutdown()
    }

    @Test("a file without #! is not handed to a shell")
    @LoopActor func noShell() async throws {
        try folder.writeProgram(answer("1"), to: "sensors.d/a")
        chmod(path, 0o755)
        let runner = runner()
        await heard.expect("! \(path)/a: it does not run: cannot run \(path)/a: Exec format error")
        runner.shutdown()
    }

    @Test("what it said last stands for two failures and is unavailable with the third")
    @LoopActor func failsLater() async throws {
        try script(
            "a",
            "echo run >>\(folder.path)/runs; test $(wc -l <\(folder.path)/runs) != 1 && exit 1; "
                + answer("1"))
        let runner = runner(interval: 1)
        await heard.expect("script_a_x 1")
        await heard.expect("! \(path)/a: it ended with status 1")
        await heard.expect("script_a_x unavailable")
        #expect(HostFiles().lines("\(folder.path)/runs").count == 4)
        runner.shutdown()
    }

    @Test("what the configuration switches off is not even run")
    @LoopActor func choice() async throws {
        try script("a", "touch \(folder.path)/ran; " + answer("1"))
        try script("b", answer("2"))
        let runner = runner(SensorChoice(disable: ["script_a"]))
        await heard.expect("script_b_x 2")
        #expect(access("\(folder.path)/ran", F_OK) != 0)
        runner.shutdown()
    }
}
