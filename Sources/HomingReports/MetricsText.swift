internal import HomingBase
public import HomingControl

/// The status as Prometheus reads it.
///
/// Everybody who can reach the collector can read the metrics. So they hold no place, network, address or
/// id. Labels are our own words and the names of homes, which bounds the number of series.
public struct MetricsText {
    typealias Labels = [(String, String)]

    let report: StatusReport?
    /// Seconds since 1970.
    let now: Double

    /// - Parameters:
    ///   - report: what the daemon answered; `nil` where none answers.
    ///   - now: seconds since 1970, to which ages are reckoned.
    public init(report: StatusReport?, now: Double) {
        self.report = report
        self.now = now
    }

    /// Families in Prometheus' text format.
    public var text: String {
        var text = PrometheusText()
        text.add("homing_up", .gauge, "1 if the daemon answers.", report == nil ? 0 : 1)
        guard let report else { return text.text }
        addMachine(report, to: &text)
        let ofHomes = report.homes.flatMap { home in
            home.warnings.map { Self.warning($0, Self.labels(of: home)) }
        }
        text.add(
            "homing_warning", .gauge,
            "1 for each warning of the status; without a home, it is the machine's.",
            report.warnings.map { Self.warning($0, []) } + ofHomes)
        addHomes(report.homes, to: &text)
        addNotifications(report.homes, to: &text)
        return text.text
    }

    private static func warning(
        _ warning: StatusReport.Warning, _ labels: Labels
    ) -> PrometheusText.Sample {
        var labels = labels
        labels.append(("warning", warning.code))
        if let severity = warning.severity { labels.append(("severity", severity)) }
        return PrometheusText.Sample(1, labels)
    }

    static func labels(of home: StatusReport.Home) -> Labels { [("home", home.name)] }

    /// A value of each home that has it.
    static func samples(
        _ homes: [StatusReport.Home], _ value: (StatusReport.Home) -> Double?
    ) -> [PrometheusText.Sample] {
        homes.compactMap { home in
            value(home).map { PrometheusText.Sample($0, labels(of: home)) }
        }
    }

    /// Counts by a word, in the order of the words.
    static func samples(
        _ counts: [String: Int], by label: String, _ labels: Labels = []
    ) -> [PrometheusText.Sample] {
        counts.sorted { $0.key < $1.key }.map {
            PrometheusText.Sample(Double($0.value), labels + [(label, $0.key)])
        }
    }

    static func number(_ condition: Bool) -> Double { condition ? 1 : 0 }

    /// To the millisecond.
    static func seconds(_ time: Double) -> Double { (time * 1000).rounded() / 1000 }
}
