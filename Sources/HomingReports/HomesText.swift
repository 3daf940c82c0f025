internal import HomingBase
public import HomingControl

/// The homes as people read them.
public struct HomesText {
    private let report: HomesReport

    public init(report: HomesReport) { self.report = report }

    /// Lines, each with its end.
    public var text: String {
        let width = report.homes.map(\.name.count).max() ?? 0
        return report.homes.map { home in
            let name = home.name + String(repeating: " ", count: width - home.name.count)
            let device = home.deviceName.map { "as \($0)" } ?? "not registered"
            let host = home.host.map { " at \($0)" } ?? ""
            return SafeText.line("\(name)  \(device)\(host), \(home.queued) waiting") + "\n"
        }.joined()
    }
}
