internal import HomingBase
internal import HomingControl
internal import HomingLocation

/// Metrics that are the same for every home.
extension MetricsText {
    func addMachine(_ report: StatusReport, to text: inout PrometheusText) {
        text.add("homing_build_info", .gauge, "The version.", by: "version", [report.version: 1])
        text.add(
            "homing_uptime_seconds", .gauge, "Time since the daemon started.",
            Self.seconds(report.uptime))
        text.add(
            "homing_network_metered", .gauge, "1 on a metered network.",
            Self.number(report.network.metered))
        addPosition(report, to: &text)
        addData(report, to: &text)
    }

    private func addPosition(_ report: StatusReport, to text: inout PrometheusText) {
        let position = report.position
        text.add(
            "homing_gpsd_receivers", .gauge, "Receivers that gpsd reads, while it is watched.",
            position.receivers.map { Double($0) })
        text.add(
            "homing_position_age_seconds", .gauge, "Age of the last location.",
            position.age.map { Self.seconds($0) })
        text.add(
            "homing_position_accuracy_meters", .gauge, "Accuracy of the last location.",
            position.accuracy)
        text.add(
            "homing_position_frozen_seconds", .gauge,
            "Time for which the receiver has repeated one location, equal to the last digit.",
            position.frozen.map { Self.seconds($0) })
        text.add(
            "homing_fixes_skipped_total", .counter,
            "Fixes skipped since the daemon started.",
            Self.samples(report.skipped, by: "reason"))
        text.add(
            "homing_fixes_held_total", .counter,
            "Fixes held until repeated, since the daemon started.",
            report.held.map { Double($0.total) })
    }

    private func addData(_ report: StatusReport, to text: inout PrometheusText) {
        text.add(
            "homing_data_saving", .gauge, "1 while data is saved.",
            Self.number(report.thrift != nil))
        guard let data = report.data else { return }
        text.add(
            "homing_data_month_bytes", .gauge, "Data used this month, by kind of network.",
            Self.samples(data.bytes, by: "network"))
        text.add(
            "homing_data_month_metered_bytes", .gauge, "Of these, data of metered networks.",
            Double(data.metered))
        text.add(
            "homing_data_month_budget_bytes", .gauge, "The budget of a month.",
            data.budget.map { Double($0) })
    }
}
