public import HomingControl

/// The homes as people read them.
extension HomesReport {
    /// Lines, each with its end.
    public var text: String {
        let rows = homes.map { home in
            let device = home.deviceName.map { "as \($0)" } ?? "not registered"
            let host = home.host.map { " at \($0)" } ?? ""
            return [home.name, "\(device)\(host), \(home.queued) waiting"]
        }
        let lost = failed.map { [$0.name, "cannot be opened: \($0.reason.namingHome($0.name))"] }
        let all = rows + lost
        return all.isEmpty ? "" : TextTable.text(all) + "\n"
    }
}
