public import HomingControl

/// The homes as people read them.
extension HomesReport {
    /// Lines, each with its end.
    public var text: String {
        let isOneOfSeveral = homes.count + failed.count > 1
        let rows = homes.map { home in
            let device = home.deviceName.map { "as \($0)" } ?? "not registered"
            let address = home.url.map { " at \($0)" } ?? ""
            let place = first == home.name && isOneOfSeveral ? ", first home" : ""
            return [home.name, "\(device)\(address), \(home.queued) waiting\(place)"]
        }
        let lost = failed.map { [$0.name, "cannot be opened: \($0.reason.namingHome($0.name))"] }
        let all = rows + lost
        return all.isEmpty ? "" : TextTable.text(all) + "\n"
    }
}
