import FoundationEssentials
import HomingControl
import Testing

@Suite struct StatusTextTests {
    private static func report(
        connection: String = "Wi-Fi Cafe", uptime: Double = 60, age: Double = 2,
        accuracy: Double = 5
    ) -> StatusReport {
        StatusReport(
            version: "1", processID: 1, uptime: uptime, registration: nil,
            network: .init(
                connection: connection, connectivity: "full", metered: false, atHome: false,
                reason: "away"),
            endpoints: [], nextAttempt: nil,
            position: .init(gpsd: "watching", mode: 3, age: age, accuracy: accuracy), queues: [],
            skipped: [:], rejections: [], warnings: [])
    }

    @Test("The name of a network gives no orders to the terminal and begins no line")
    func controlCharacters() {
        let report = Self.report(connection: "Wi-Fi \u{1B}[2J\nRegistered   as yours\u{9B}")
        let text = StatusText(report: report, now: 0).text
        #expect(text.contains("Wi-Fi \u{FFFD}[2J\u{FFFD}Registered   as yours\u{FFFD}, full\n"))
        let orders = text.unicodeScalars.filter {
            $0.properties.generalCategory == .control && $0 != "\n"
        }
        #expect(orders.isEmpty)
    }

    @Test("Numbers that no daemon sends are shown all the same", arguments: [-1e300, 1e300, -1, 0])
    func absurdNumbers(number: Double) {
        let report = Self.report(uptime: number, age: number, accuracy: number)
        #expect(StatusText(report: report, now: -number).text.contains("Last fix"))
    }

    @Test("A refusal never ends with the exit code of success")
    func exitCodeOfRefusal() throws {
        let json = Data(#"{"code":0,"message":"no"}"#.utf8)
        #expect(try JSONDecoder().decode(ControlError.self, from: json).exitCode == .failure)
    }
}
