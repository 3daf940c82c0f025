internal import HomingBase
internal import HomingRuntime
internal import HomingServer

/// The answers for monitoring. No label names a token, a mailbox or an address.
@LoopActor struct MonitorPages {
    unowned let relay: RelayService

    /// Answers monitoring.
    func answer(_ page: Monitor.Page, _ request: ServerRequest) {
        switch page {
        case .health: request.answer(Self.fine)
        case .ready: request.answer(readiness)
        case .metrics:
            relay.statistics.provideStatistics { [weak relay = relay] in
                guard let relay else { return }
                request.answer(
                    ServerAnswer(
                        200, json: Array(MonitorPages(relay: relay).metrics($0).utf8),
                        fields: [("Content-Type", PrometheusText.type)]))
            }
        }
    }

    private static let fine = ServerAnswer(200, json: Array("{\"status\":\"ok\"}".utf8))

    /// A balancer sends nothing here while it is 503.
    private var readiness: ServerAnswer {
        if relay.isEnding { return Monitor.failure(503, "The relay ends.") }
        if !relay.watch.isReady { return Monitor.failure(503, "The store takes no messages.") }
        return Self.fine
    }

    func metrics(_ statistics: StoreStatistics?) -> String {
        var text = PrometheusText()
        writePosts(&text)
        writeFront(&text)
        writeConnections(&text)
        write(statistics, &text)
        writeProcess(&text)
        return text.text
    }

    private func writePosts(_ text: inout PrometheusText) {
        let counts = relay.pushes.counts
        text.add(
            "homing_relay_posts_total", .counter, "Posts of Home Assistant, by their outcome.",
            by: "outcome",
            [
                "accepted": Double(counts.accepted), "limited": Double(counts.limited),
                "refused": Double(counts.refused), "failed": Double(counts.failed),
            ])
        text.add(
            "homing_relay_late_answers_total", .counter,
            "Requests that were answered with 503 after two seconds.", Double(relay.answers.late))
        text.add(
            "homing_relay_store_seconds", "Time from an encrypted post to the store's answer.",
            relay.pushes.latency)
        text.add(
            "homing_relay_messages_sent_total", .counter,
            "Messages that were sent to machines, repeats included.", Double(relay.devices.sent))
        text.add(
            "homing_relay_joins_total", .counter, "Machines that joined.",
            Double(relay.joins.joined)
        )
    }

    private func writeFront(_ text: inout PrometheusText) {
        guard let forwarder = relay.forwarder else { return }
        text.add(
            "homing_relay_forwarded_total", .counter, "Messages that the far relay has taken.",
            Double(forwarder.counts.forwarded))
        text.add(
            "homing_relay_discarded_total", .counter,
            "Messages that the far relay will never take.", Double(forwarder.counts.discarded))
        text.add(
            "homing_relay_far_tokens_refused", .gauge,
            "Mailboxes whose token the far relay refuses.", Double(forwarder.report.refused))
        text.add(
            "homing_relay_far_relay_away", .gauge, "1 while the far relay takes no messages.",
            forwarder.awaySince == nil ? 0 : 1)
    }

    private func writeConnections(_ text: inout PrometheusText) {
        let (server, devices) = (relay.serverCounts, relay.devices.counts)
        text.add(
            "homing_relay_requests_total", .counter, "Requests that the relay was handed.",
            Double(server.requests))
        text.add(
            "homing_relay_server_refusals_total", .counter,
            "Requests that the HTTP server has refused itself.", Double(server.refusals))
        text.add(
            "homing_relay_turned_away_total", .counter, "Connections that were not let in.",
            Double(server.turnedAway))
        text.add(
            "homing_relay_http_connections", .gauge, "Connections of HTTP.",
            Double(server.connections))
        text.add(
            "homing_relay_sockets", .gauge, "Sockets of machines, authenticated or not.",
            Double(devices.sockets))
        text.add(
            "homing_relay_devices_connected", .gauge, "Mailboxes whose machine is connected.",
            Double(devices.mailboxes))
        text.add(
            "homing_relay_body_bytes", .gauge, "Bytes of bodies being received.",
            Double(server.buffered))
    }

    private func write(_ statistics: StoreStatistics?, _ text: inout PrometheusText) {
        text.add(
            "homing_relay_store_failing", .gauge, "1 if the last message could not be stored.",
            relay.watch.isFailing ? 1 : 0)
        guard let statistics else { return }
        text.add(
            "homing_relay_mailboxes", .gauge, "Mailboxes; at most a minute old.",
            Double(statistics.mailboxes))
        text.add(
            "homing_relay_messages_waiting", .gauge, "Messages that wait; at most a minute old.",
            Double(statistics.messages))
        text.add(
            "homing_relay_store_bytes", .gauge, "Size of the store; at most a minute old.",
            Double(statistics.bytes))
        text.add(
            "homing_relay_store_commits_total", .counter,
            "Transactions on the disk; at most a minute old.", Double(statistics.commits))
        text.add(
            "homing_relay_store_operations_total", .counter,
            "Operations in them; at most a minute old.", Double(statistics.operations))
    }

    private func writeProcess(_ text: inout PrometheusText) {
        text.add(
            "homing_relay_info", .gauge, "The version.", by: "version", [homingVersion: 1])
        text.add(
            "process_start_time_seconds", .gauge, "Start of the relay: seconds since 1970.",
            relay.started.unixTime)
        text.add(
            "process_resident_memory_bytes", .gauge, "Memory of the process.",
            OwnProcess.residentBytes.map { Double($0) })
        text.add(
            "process_cpu_seconds_total", .counter, "Processor time of the process.",
            OwnProcess.processorTime)
    }
}
