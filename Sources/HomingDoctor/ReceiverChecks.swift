internal import HomingConfiguration
internal import HomingHealth
internal import HomingRuntime

/// gpsd, its receiver, and how good its fix is.
struct ReceiverChecks {
    let settings: Configuration.GPSD
    let maxAccuracy: Double
    /// Whether NTP has set this machine's clock; a receiver without a date needs it.
    var isClockSet: () -> Bool = { SystemClock.isSynchronized() ?? false }

    /// Returns the findings, and the fix for what is to be compared with the fix.
    func run(now: Double) -> (findings: [Finding], probe: GPSDProbe?) {
        guard settings.enabled else {
            return (
                [
                    .skipped(
                        .gpsd,
                        "switched off ([gpsd] enabled = false). Setup writes that to agent.conf.d/gpsd.conf"
                    )
                ], nil
            )
        }
        do throws(SystemError) {
            let probe = try GPSDProbe.read(
                host: settings.host, port: UInt16(settings.port), device: settings.device)
            return (judge(probe, now: now), probe)
        } catch {
            let finding = Finding.wrong(
                .gpsd, .gpsdUnreachable, error.action, [.init(.host, remoteHost)])
            return ([finding], nil)
        }
    }

    /// This machine's own address says nothing.
    private var remoteHost: String {
        ["localhost", "127.0.0.1", "::1"].contains(settings.host) ? "" : settings.host
    }

    func judge(_ probe: GPSDProbe, now: Double) -> [Finding] {
        let gpsd = Finding.well(.gpsd, "version \(probe.version ?? "?")")
        guard !probe.receivers.isEmpty else {
            return [gpsd, .wrong(.receiver, .noReceiver, "gpsd has no device")]
        }
        if let device = settings.device, !probe.receivers.contains(device) {
            let others = probe.receivers.joined(separator: ", ")
            return [
                gpsd, .wrong(.receiver, .noReceiver, "gpsd has \(others), and not \(device)"),
            ]
        }
        let receiver = Finding.well(.receiver, probe.receivers.joined(separator: ", "))
        return [gpsd, receiver] + fix(probe, now: now)
    }

    private func fix(_ probe: GPSDProbe, now: Double) -> [Finding] {
        guard probe.mode >= 2 else {
            return [.wrong(.fix, .noFixNow, "too few satellites, or no data")]
        }
        var words = ["\(probe.mode)D"]
        if let accuracy = probe.accuracy, probe.isAccuracyKnown {
            words.append("±\(Int(min(accuracy, 1e7).rounded(.up))) m")
            guard accuracy <= maxAccuracy else {
                let quality = words.joined(separator: ", ")
                return [
                    .wrong(.fix, .fixesSkipped, "\(quality): worse than [location] max_accuracy")
                ]
            }
        } else {
            words.append("accuracy estimated")
        }
        if probe.time == nil { words.append("without a date") }
        let quality = words.joined(separator: ", ")
        if probe.time == nil, !isClockSet() {
            return [
                .wrong(.fix, .fixesSkipped, "\(quality), and NTP has not set this machine's clock")
            ]
        }
        let fix = Finding.well(.fix, quality)
        return [fix] + [clock(probe, now: now)].compactMap { $0 }
    }

    /// Fixes more than ten seconds ahead of the clock are skipped, and so are old ones.
    private func clock(_ probe: GPSDProbe, now: Double) -> Finding? {
        guard let time = probe.time else { return nil }
        let difference = time - now
        guard difference > 10 || difference < -60 else { return nil }
        let fault = difference > 0 ? Warnable.clockBehind : .clockAhead
        return .wrong(.clock, fault, "by \(Int(min(abs(difference), 1e10))) s").of("receiver")
    }
}
