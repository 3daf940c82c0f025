internal import HomingBase
internal import HomingControl

/// Metrics about the arrival of notifications.
extension MetricsText {
    func addNotifications(_ homes: [StatusReport.Home], to text: inout PrometheusText) {
        text.add(
            "homing_push_connected", .gauge,
            "1 while the channel for notifications is open; nothing where it is off.",
            Self.samples(homes) { home in
                home.push.flatMap { $0.state == "off" ? nil : Self.number($0.state == "open") }
            })
        text.add(
            "homing_notifications_total", .counter,
            "Notifications by what became of them, since the daemon started.",
            homes.flatMap { home in
                home.push.map {
                    let counts = [
                        "shown": $0.shown, "folded": $0.folded, "duplicate": $0.duplicates,
                    ]
                    return Self.samples(counts, by: "outcome", Self.labels(of: home))
                } ?? []
            })
        addRelay(homes, to: &text)
    }

    /// The server `homing-relay` has metrics of its own, which begin with `homing_relay`.
    private func addRelay(_ homes: [StatusReport.Home], to text: inout PrometheusText) {
        text.add(
            "homing_push_relay_failing_seconds", .gauge,
            "Time for which every attempt to reach the relay has failed.",
            Self.samples(homes) { $0.push?.relay.map { Self.seconds($0.failingFor ?? 0) } })
        text.add(
            "homing_push_relay_clock_offset_seconds", .gauge,
            "Time by which the relay's clock is ahead of the machine's.",
            Self.samples(homes) { $0.push?.relay?.clockOffset.map { Self.seconds($0) } })
        text.add(
            "homing_push_relay_messages_total", .counter,
            "Messages that came by the relay, since the daemon started.",
            Self.samples(homes) { ($0.push?.relay?.messages).map { Double($0) } })
        text.add(
            "homing_push_relay_refused_total", .counter,
            "Messages of the relay that were not taken, since the daemon started.",
            Self.samples(homes) { ($0.push?.relay?.refused).map { Double($0) } })
        text.add(
            "homing_push_relay_dropped_total", .counter,
            "Messages that the relay has dropped, since the daemon started.",
            Self.samples(homes) { ($0.push?.relay?.dropped).map { Double($0) } })
    }
}
