internal import HomingCore
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
            lock: { [weak self] in self?.sources.logind.lock(completion: $0) },
            suspend: { [weak self] in self?.sources.logind.suspend(completion: $0) })
        sources.onSessions = { [weak self] in
            self?.push.desk.sessions = $0
            self?.push.desk.reviewHeld()
        }
        push.desk.answers.resume()
    }
}
