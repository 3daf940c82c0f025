import HomingBase
import HomingRelayProtocol
import HomingRuntime
import HomingServer
import HomingTestKit
import Testing

@testable import HomingRelay

/// Metrics that monitoring reads. `Tests/EndToEnd/test_relay_monitoring.py` has promtool read them.
@Suite("A relay's monitoring", .serialized)
struct MonitorTests {
    private func start() async throws -> (RelayRig, Wire) {
        let rig = try await RelayRig.start {
            $0.listen.metrics = [.tcp("127.0.0.1", port: 0)]
            $0.limits.maximum = 2
        }
        let address = try #require(await rig.onLoop { $0.monitorAddresses.first })
        return (rig, try Wire(address))
    }

    private func values(_ wire: Wire) throws -> [String: Double] {
        let answer = try wire.exchange("GET", "/metrics", fields: [])
        try #require(answer.status == 200)
        let lines = answer.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            uniqueKeysWithValues: try lines.map { line in
                let end = try #require(line.lastIndex(of: " "))
                let value = try #require(Double(line[line.index(after: end)...]))
                return (String(line[..<end]), value)
            })
    }

    @Test("is off unless an address is configured")
    func off() async throws {
        let rig = try await RelayRig.start()
        #expect(await rig.onLoop { $0.monitorAddresses.isEmpty })
        let wire = try rig.wire()
        for page in Monitor.Page.allCases {
            #expect(try wire.exchange("GET", page.rawValue, fields: []).status == 404)
        }
        await rig.end()
    }

    @Test("counts posts by their outcome, and names no device")
    func counts() async throws {
        let (rig, monitor) = try await start()
        let device = try await rig.device()
        let wire = try rig.wire()
        for _ in 0..<3 { _ = try wire.post(device.body("Wombat")) }
        _ = try wire.post(Array("{}".utf8))
        let socket = try rig.wire()
        #expect(try device.open(socket)?.isReady == true)
        _ = try device.message(socket)
        let values = try values(monitor)
        let outcomes = ["accepted", "limited", "refused", "failed"].map {
            values["homing_relay_posts_total{outcome=\"\($0)\"}"]
        }
        #expect(outcomes == [2, 1, 1, 0])
        #expect(values["homing_relay_store_seconds_count"] == 3)
        #expect(values["homing_relay_store_seconds_bucket{le=\"+Inf\"}"] == 3)
        #expect(values["homing_relay_devices_connected"] == 1)
        #expect((values["homing_relay_messages_waiting"] ?? 0) >= 2)
        #expect((values["process_resident_memory_bytes"] ?? 0) > 1_000_000)
        let text = try monitor.exchange("GET", "/metrics", fields: []).text
        for word in [device.token.text, device.token.mailbox.label, "127.0.0.1", "Wombat"] {
            #expect(!text.contains(word))
        }
        withExtendedLifetime(socket) {}
        await rig.end()
    }

    @Test("asks the store at most twice a minute, and not for ever if the store is held")
    func store() async throws {
        let (rig, monitor) = try await start()
        let before = try values(monitor)["homing_relay_store_operations_total"]
        for _ in 0..<20 { _ = try values(monitor) }
        let same = try values(monitor)["homing_relay_store_operations_total"]
        #expect(before != nil && same == before)
        await rig.pass(31)
        let later = try values(monitor)["homing_relay_store_operations_total"]
        #expect((later ?? 0) > (before ?? 0))
        await rig.pass(31)
        let disk = await rig.hold()
        monitor.writeRequest("GET", "/metrics", fields: [])
        await rig.pass(1.1)
        let held = try monitor.answer()
        #expect(held.status == 200 && held.text.contains("homing_relay_messages_waiting 0"))
        disk.release()
        await rig.end()
    }

    @Test("says that the relay is not ready while the store fails, and says so of other pages")
    func readiness() async throws {
        let (rig, monitor) = try await start()
        let get = { (path: String) in try monitor.exchange("GET", path, fields: []) }
        let (health, ready) = (try get("/health"), try get("/ready"))
        #expect(health.status == 200 && ready.status == 200)
        await rig.onLoop { $0.watch.failed("the disk is full") }
        let (alive, failing) = (try get("/health"), try get("/ready"))
        #expect(alive.status == 200 && failing.status == 503 && failing.isReadable)
        // A balancer sends nothing meanwhile.
        await rig.pass(StoreWatch.unreadiness)
        #expect(try get("/ready").status == 200)
        #expect(await rig.onLoop { await $0.status() }.isStoreFailing)
        await rig.onLoop { $0.watch.failed("the disk is full") }
        #expect(try get("/ready").status == 503)
        await rig.onLoop { $0.watch.worked() }
        let (again, unknown) = (try get("/ready"), try get("/v1/push"))
        #expect(again.status == 200 && unknown.status == 404)
        #expect(try monitor.exchange("POST", "/ready", [], fields: []).status == 405)
        await rig.end()
    }
}

@Suite("A histogram for Prometheus")
struct HistogramTests {
    @Test("sums the classes of a histogram up")
    func histogram() {
        var times = LatencyHistogram()
        for time in [0.0004, 0.0005, 0.03, 5] { times.note(time) }
        var text = PrometheusText()
        text.add("t", "Times.", times)
        let lines = text.text.split(separator: "\n").map(String.init)
        #expect(lines.contains("t_bucket{le=\"0.0005\"} 2"))
        #expect(lines.contains("t_bucket{le=\"0.025\"} 2"))
        #expect(lines.contains("t_bucket{le=\"0.05\"} 3"))
        #expect(lines.contains("t_bucket{le=\"2\"} 3"))
        #expect(lines.contains("t_bucket{le=\"+Inf\"} 4") && lines.contains("t_count 4"))
        #expect(lines.contains { $0.hasPrefix("t_sum 5.03") })
    }
}
