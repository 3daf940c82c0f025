internal import HomeAssistantAPI
internal import HomingBase
internal import HomingConfiguration
internal import HomingControl
internal import HomingDelivery
internal import HomingNotifications
internal import HomingRegistration
internal import HomingSettings

/// Choice of the home that a person or a notification means.
extension Homes {
    /// The home that a command means: the named home, or the only home.
    func meant(by name: String?) throws(ControlError) -> Home {
        if name == nil, names.count > 1 { throw .severalHomes(names) }
        let name = name ?? names.first ?? ""
        if let home = self[name] { return home }
        if let failure = failure(of: name) {
            throw ControlError(.failure, "\(name) cannot be opened: \(failure)")
        }
        throw .unknownHome(name, known: names)
    }

    /// The home that sent a notification; `nil` if that home is no more. A notification that an
    /// earlier version showed is from the only home.
    func sender(of message: PushMessage) -> Home? {
        guard let identity = message.homeID else { return only }
        return all.first { $0.identity == identity }
    }

    /// Seconds after which an answer is worth nothing to a home that cannot be opened now; `nil`
    /// where the notification is from another home.
    func expiryWhereAway(_ message: PushMessage) -> Seconds? {
        message.homeID.flatMap(failedName).map { configuration.values(of: $0).push.actionExpiry }
    }

    /// The only home, if it waits for its first registration: nothing was ever delivered to it.
    /// What waits is for the home that takes its place.
    var blank: Home? {
        guard let state = only?.state, !state.isRegistering, state.registration == nil,
            state.queues.count == Stream.allCases.count,
            state.queues.allSatisfy({ $0.ledger[.deliveredLive] + $0.ledger[.deliveredTrack] == 0 })
        else { return nil }
        return only
    }

    /// Whether a home of that name is still to be made.
    func isNew(_ name: String?) -> Bool { name.map { !names.contains($0) } ?? false }

    /// Returns the error if no new home may have that name.
    func refusal(ofNew name: String) -> ControlError? {
        guard Parts.isName(name) else { return .noHomeName(name) }
        return names.contains(name) ? ControlError(.usage, "there is a home called \(name)") : nil
    }

    /// The error if another home has the address at which this home is to register.
    func refusal(of params: ControlCommand.Register, for name: String) -> ControlError? {
        let registered = all.compactMap { home in
            home.state.registration.map { RegisteredHome(home.name, at: $0.instanceURL) }
        }
        return params.refusal(
            beside: registered.filter { $0.name != name },
            present: registered.first { $0.name == name }?.url)
    }

    /// Returns the list for `homing homes`.
    func listing() -> HomesReport {
        HomesReport(
            homes: all.map(\.state).map { state in
                HomesReport.Home(
                    name: state.name, deviceName: state.registration?.deviceName,
                    url: state.registration?.instanceURL,
                    queued: state.queued, unconfirmed: state.queued - state.waiting)
            },
            failed: names.compactMap { name in
                failure(of: name).map { HomesReport.Failure(name: name, reason: "\($0)") }
            }, first: first)
    }
}
