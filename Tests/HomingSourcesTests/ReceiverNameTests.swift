import HomingMachine
import HomingRuntime
import Testing

@testable import HomingSources

/// Names of the receivers that gpsd has open.
@Suite struct ReceiverNameTests {
    init() { TestLoop.start() }

    private static func device(_ path: String, driver: String? = nil, isOpen: Bool = true) -> String
    {
        let words = [
            #""class":"DEVICE""#, #""path":"\#(path)""#, driver.map { #""driver":"\#($0)""# },
            isOpen ? #""activated":"2026-11-20T10:00:00.000Z""# : nil,
        ]
        return "{\(words.compactMap(\.self).joined(separator: ","))}"
    }

    private static func list(_ devices: [String]) -> String {
        "{\"class\":\"DEVICES\",\"devices\":[\(devices.joined(separator: ","))]}\r\n"
    }

    /// The names as they were delivered, one after the other, until a position came.
    @LoopActor private func names(
        _ lists: [String], device: String? = nil
    ) async throws -> [[String]] {
        var found: [[String]] = []
        var isOver = false
        let gpsd = try FakeGPSD(saying: lists.joined(), FakeGPSD.fix)
        let source = GPSDSource(port: gpsd.port, device: device, clock: SystemClock()) {
            if case .receivers(let names) = $0 { found.append(names) }
            if case .position = $0 { isOver = true }
        }
        source.start()
        if device == nil {
            try await eventually("a position") { isOver }
        } else {
            try await eventually("the names") { !found.isEmpty }
        }
        source.shutdown()
        return found
    }

    @Test("A receiver that is open has its path and its driver")
    @LoopActor func named() async throws {
        let list = Self.list([
            Self.device("/dev/ttyACM0", driver: "u-blox"), Self.device("/dev/ttyUSB0"),
            Self.device("/dev/ttyS0", isOpen: false),
        ])
        #expect(try await names([list]) == [["/dev/ttyACM0 (u-blox)", "/dev/ttyUSB0"]])
    }

    @Test("A source on the network has no user and no password in its name")
    @LoopActor func logins() async throws {
        let list = Self.list([
            Self.device("ntrip://me:se@cret@caster.example:2101/mount"),
            Self.device("tcp://10.0.0.1:10110"),
            Self.device("/dev/a@b"),
        ])
        let wanted = ["ntrip://caster.example:2101/mount", "tcp://10.0.0.1:10110", "/dev/a@b"]
        #expect(try await names([list]) == [wanted])
    }

    @Test("Only a change is delivered")
    @LoopActor func changes() async throws {
        let (one, none) = (Self.list([Self.device("/dev/a")]), Self.list([]))
        #expect(try await names([one, one, none, none, one]) == [["/dev/a"], [], ["/dev/a"]])
    }

    @Test("Of a chosen receiver there is its own name alone, and not that of a longer path")
    @LoopActor func chosen() async throws {
        let list = Self.list([
            Self.device("/dev/ttyACM10", driver: "x"),
            Self.device("/dev/ttyACM1", driver: "u-blox"),
        ])
        #expect(try await names([list], device: "/dev/ttyACM1") == [["/dev/ttyACM1 (u-blox)"]])
    }

    @Test("Names are bounded in number and length, and give a terminal no orders")
    @LoopActor func hostile() async throws {
        let long = String(repeating: "x", count: 500)
        let devices = (0..<12).map { Self.device("/dev/\($0)\\u001b[2J\\u202e\(long)") }
        let found = try await names([Self.list(devices)])
        let list = try #require(found.first)
        #expect(list.count == 8 && list.allSatisfy { $0.utf8.count <= 64 })
        let scalars = list.joined().unicodeScalars
        #expect(!scalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
    }
}
