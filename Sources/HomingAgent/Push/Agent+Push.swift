internal import HomingBus
internal import HomingControl
internal import HomingRuntime
internal import HomingSources

/// Joins the push stage to the rest.
extension Agent {
    /// Before the registration is adopted.
    func joinPush() {
        pipeline.onWay = { [weak self] in self?.push.wayChanged(networkChanged: $0) }
        pipeline.onSettled = { [weak self] in self?.push.desk.answers.settled($0, $1) }
        push.orders.machine = PushOrders.Machine(
            requestLocation: { [weak self] in self?.pipeline.requestPosition() },
            updateSensors: { [weak self] in self?.sensors.updateNow() },
            lock: { [weak self] in self?.perform(.lock, $0) },
            suspend: { [weak self] in self?.perform(.suspend, $0) })
        sources.onSessions = { [weak self] in self?.push.desk.sessionsChanged($0) }
        push.desk.answers.resume()
        push.desk.takeUp()
    }

    /// The person in front may lock their session and put the machine to sleep; a service of the
    /// system needs a rule of polkit's for it.
    private func perform(_ deed: SessionDeed, _ completion: @escaping @LoopActor (String?) -> Void)
    {
        guard case .success(let desktop) = push.desk.helpers.chosen() else {
            return performOurselves(deed, completion)
        }
        desktop.perform(deed) { [weak self] problem in
            // To suspend a second time, after the first one's night, would be worse than to fail.
            guard let self, let problem, deed == .lock else { return completion(problem) }
            self.performOurselves(deed) { obstacle in
                if obstacle == nil { Log.notice("\(problem): the daemon has locked the screen") }
                completion(obstacle.map { "\(problem); \($0)" })
            }
        }
    }

    private func performOurselves(
        _ deed: SessionDeed, _ completion: @escaping @LoopActor (String?) -> Void
    ) {
        switch deed {
        case .lock: sources.logind.lock(completion: completion)
        case .suspend: sources.logind.suspend(completion: completion)
        }
    }
}
