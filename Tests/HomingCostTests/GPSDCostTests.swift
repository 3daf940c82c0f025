import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSources

/// 64 kB of a gpsd's lines, through a real connection and libgps.
@Suite(.serialized) struct GPSDCostTests {
    init() { LoopThread.start() }

    private static var inputs: [(name: String, text: [UInt8])] {
        let report = #"{"class":"TPV","mode":3,"time":"2026-11-22T12:00:00.000Z","lat":52,"lon":4}"#
        let satellite = #"{"PRN":1,"el":10,"az":10,"ss":10,"used":true},"#
        let lines = [
            "reports": report, "short reports": #"{"class":"TPV"}"#,
            "devices": #"{"class":"DEVICES","devices":[\#(repeated(#"{"path":"a"},"#, 800))]}"#,
            "satellites": #"{"class":"SKY","satellites":[\#(repeated(satellite, 100))]}"#,
            "zeros": #"{"class":"DEVICES","devices":[\#(repeated("0,", 9000))0]}"#,
            "changes of devices": #"{"class":"DEVICE"}"#, "empty lines": "",
            "blanks": #"{"class":"TPV"\#(repeated(" ", 20_000))}"#,
            "names": #"{"class":"TPV"\#(repeated(#","a":0"#, 3000))}"#,
            "beginnings": repeated(#"{"class":"TPV","#, 1000),
        ]
        return lines.map { name, line in
            let count = Price.size / (line.utf8.count + 1)
            return (name, Array(String(repeating: line + "\n", count: max(1, count)).utf8))
        }
    }

    private static func repeated(_ part: String, _ count: Int) -> String {
        String(repeating: part, count: count)
    }

    /// Processor time from the connection to its end, and memory at its peak.
    @LoopActor private static func cost(
        _ server: Loopback, _ input: [UInt8]
    ) async throws -> (seconds: Double, kilobytes: Int) {
        server.serve(input)
        let socket = try server.connect()
        Price.resetPeak()
        let (before, start) = (Price.memory("VmRSS"), Price.processorTime())
        var connection: GPSDConnection?
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            connection = GPSDConnection(socket) { event in
                if case .lost = event { done.resume() }
            }
        }
        connection?.close()
        server.reset()
        return (Price.processorTime() - start, Price.memory("VmHWM") - before)
    }

    @Test("What gpsd says")
    func gpsd() async throws {
        let inputs = Self.inputs
        let price = await spawn {
            var price = Price()
            guard let server = try? Loopback() else { return price }
            for (name, text) in inputs {
                var least = Double.infinity
                var kilobytes = 0
                for _ in 0..<3 {
                    guard let cost = try? await Self.cost(server, text) else { continue }
                    least = min(least, cost.seconds)
                    kilobytes = max(kilobytes, cost.kilobytes)
                }
                price.note(name, seconds: least, kilobytes: kilobytes)
            }
            return price
        }.value
        #expect(price.seconds > 0)
        price.check("gpsd: lines")
    }
}
