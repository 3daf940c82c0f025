internal import Glibc
internal import HomingControl
internal import HomingReports
internal import HomingTestKit

@testable internal import HomingSocket

/// The control socket's end at the command: whatever a daemon says is a status that can be shown,
/// or an error with an exit code; nothing in it gives orders to the terminal.
final class ControlReplyTarget: FuzzTarget {
    static let name = "control-reply"

    func run(_ input: [UInt8]) throws {
        let (ours, theirs) = try Sockets.pair()
        defer { close(theirs) }
        let client = LineClient<ControlRequest>(descriptor: ours)
        Sockets.send(input, to: theirs)
        do throws(ControlError) {
            try client.stream(ControlRequest(.watchStatus, home: nil), of: StatusReport.self) {
                report in
                Self.check(report)
                return true
            }
        } catch {
            require(error.exitCode != .done, "an error that is none")
        }
    }

    private static func check(_ report: StatusReport) {
        let text = StatusText(report: report, now: 1_800_000_000).text
        require(text.hasSuffix("\n"), "the last line has no end")
        let isSafe = text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
        require(isSafe, "a control character goes to the terminal")
        let json = Array(ReportJSON.text(report).utf8.dropLast(faultIsPlanted ? 2 : 0))
        require(isObject(json), "no JSON")
    }
}
