internal import HomingBase
public import HomingControl

/// The homes as people read them.
public struct HomesText {
    private let report: HomesReport

    public init(report: HomesReport) { self.report = report }

    /// Lines, each with its end.
    public var text: String {
        let names = report.homes.map(\.name) + report.failed.map(\.name)
        let width = names.map(\.count).max() ?? 0
        let homes = report.homes.map { home in
            let device = home.deviceName.map { "as \($0)" } ?? "not registered"
            let host = home.host.map { " at \($0)" } ?? ""
            return line(home.name, width, "\(device)\(host), \(home.queued) waiting")
        }
        let failed = report.failed.map { line($0.name, width, "cannot be opened: \($0.reason)") }
        return (homes + failed).joined()
    }

    private func line(_ name: String, _ width: Int, _ text: String) -> String {
        SafeText.line(name + String(repeating: " ", count: width - name.count + 2) + text) + "\n"
    }
}
