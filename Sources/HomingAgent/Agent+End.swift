internal import HomingControl
internal import HomingDelivery
internal import HomingHTTP
internal import HomingRuntime
internal import HomingSQLite
internal import HomingSocket

/// How the daemon takes its leave, for a night or for good.
extension Agent {
    /// Shows the notifications that wait for their pictures, for a second at most, tells Home
    /// Assistant which sensors say nothing any more, for two, and calls `left` once.
    public func leave(_ left: @escaping @LoopActor () -> Void) {
        ServiceManager.stopping()
        push.desk.hurry { [weak self] in
            guard let self else { return left() }
            self.tellWhatEnds(left)
        }
    }

    private func tellWhatEnds(_ left: @escaping @LoopActor () -> Void) {
        guard sensors.leave() else { return left() }
        pipeline.onceQuiet = { [weak self] in
            self?.leaving = nil
            left()
        }
        leaving = clock.timer(2) { [weak self] in
            self?.pipeline.onceQuiet = nil
            left()
            return .done
        }
        pipeline.tell(.flush)
    }

    /// Ends everything; what is not delivered stays in the outbox, on disk.
    public func stop() {
        leaving = nil
        reregistrationTimer.cancel()
        markTimer.cancel()
        spiller.shutdown()
        sensors.shutdown()
        sources.shutdown()
        push.shutdown()
        // Whoever waits is told before the connections end.
        pipeline.shutdown()
        control?.shutdown()
        http.shutdown()
        do throws(DatabaseError) { try outbox.spillAll() } catch {
            Log.error("the outbox's last minute cannot be written: \(error.message)")
        }
        outbox.close()
        track.close()
        Log.notice("Homing stopped")
    }

    /// Everything is on disk before the machine sleeps: its battery may not last.
    func readyForSleep() {
        // What keeps it from that, it tells by itself.
        try? outbox.spillAll()
        track.write()
        sources.readyForSleep()
    }
}
