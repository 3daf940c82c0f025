internal import HomingBase
internal import HomingControl

/// Metrics of each home: its route, and the fates of what was accepted for the home.
extension MetricsText {
    func addHomes(_ homes: [StatusReport.Home], to text: inout PrometheusText) {
        text.add(
            "homing_registered", .gauge, "1 if there is a registration.",
            Self.samples(homes) { Self.number($0.registration != nil) })
        text.add(
            "homing_encrypted", .gauge, "1 if the messages of a registration are encrypted.",
            Self.samples(homes) { $0.registration.map { Self.number($0.encrypted) } })
        text.add(
            "homing_route_failing", .gauge, "1 while no endpoint of Home Assistant works.",
            Self.samples(homes) { Self.number($0.nextAttempt != nil) })
        text.add(
            "homing_last_delivery_age_seconds", .gauge,
            "Time since the last confirmed answer of Home Assistant; missing before the first.",
            Self.samples(homes) { home in
                home.endpoints.compactMap(\.lastSuccess).max().map {
                    Self.seconds(max(0, now - $0))
                }
            })
        text.add(
            "homing_positions_skipped_total", .counter,
            "Locations that were not reported to this home, since the daemon started.",
            homes.flatMap { Self.samples($0.skipped, by: "reason", Self.labels(of: $0)) })
        addQueues(homes, to: &text)
        text.add(
            "homing_power_cuts_total", .counter, "Power cuts that the queue had.",
            Self.samples(homes) { Double($0.powerCut?.count ?? 0) })
    }

    private func addQueues(_ homes: [StatusReport.Home], to text: inout PrometheusText) {
        text.add(
            "homing_queue_length", .gauge,
            "Entries in the queue, confirmed by no receipt yet, by stream.",
            Self.samples(ofQueues: homes) { [(Double($0.queued), [])] })
        text.add(
            "homing_queue_oldest_age_seconds", .gauge,
            "Time that the oldest entry has waited, if an entry waits.",
            Self.samples(ofQueues: homes) { queue in
                queue.oldestAge.map { [(Self.seconds($0), [])] } ?? []
            })
        text.add(
            "homing_queue_accepted_total", .counter,
            "Entries accepted since the queue was created.",
            Self.samples(ofQueues: homes) { [(Double($0.accepted), [])] })
        text.add(
            "homing_queue_settled_total", .counter,
            "Entries that have left the queue, by their end, since the queue was created.",
            Self.samples(ofQueues: homes) { queue in
                queue.fates.sorted { $0.key < $1.key }
                    .map { (Double($0.value), [("fate", $0.key)]) }
            })
    }

    /// Values of each queue of each home, each with labels of its own.
    private static func samples(
        ofQueues homes: [StatusReport.Home], _ values: (StatusReport.Queue) -> [(Double, Labels)]
    ) -> [PrometheusText.Sample] {
        homes.flatMap { home in
            home.queues.flatMap { queue in
                let common = labels(of: home) + [("stream", queue.stream)]
                return values(queue).map { PrometheusText.Sample($0.0, common + $0.1) }
            }
        }
    }
}
