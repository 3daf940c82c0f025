public import HomingControl

/// The homes as people read them.
extension HomesReport {
    /// Lines, each with its end: of all homes, or of the home of that name.
    public func text(of name: String? = nil) -> String {
        let isOneOfSeveral = homes.count + failed.count > 1
        let mark = { (home: String) in home == first && isOneOfSeveral ? ", first home" : "" }
        let shown = about(name)
        let rows = shown.homes.map { home in
            let device = home.deviceName.map { "as \($0)" } ?? "not registered"
            let address = home.url.map { " at \($0)" } ?? ""
            return [home.name, "\(device)\(address), \(home.queueText)\(mark(home.name))"]
        }
        let lost = shown.failed.map { failure in
            let reason = failure.reason.namingHome(failure.name)
            return [failure.name, "cannot be opened\(mark(failure.name)): \(reason)"]
        }
        let all = rows + lost
        return all.isEmpty ? "" : TextTable.text(all) + "\n"
    }
}

extension HomesReport.Home {
    fileprivate var queueText: String {
        guard let unconfirmed else { return "\(queued) queued" }
        let sent = unconfirmed > 0 ? ", \(unconfirmed) sent and not confirmed yet" : ""
        return "\(queued - unconfirmed) waiting\(sent)"
    }
}
