internal import HomeAssistantAPI
internal import HomingControl
internal import HomingCrypto
internal import HomingHealth
internal import HomingRegistration
internal import HomingRuntime
internal import HomingSQLite

/// Whether the registration is this machine's. A disk can move to another machine, or be copied.
extension Home {
    /// Compares this machine with the registered machine at the start, and notes what is known of it.
    func noteMachine() {
        guard var registration = keeper.registration else { return }
        var machine = registration.machine ?? RegisteredMachine(traits)
        machine.start(
            on: traits, successor: RandomToken.hex(bytes: 16),
            end: RegisteredMachine.QueueEnd(queue: queueID, rows: delivery.lastNumbers))
        registration.machine = machine
        // A kill came after the new registration. Where the queue fails, the home stays silent.
        registration = (try? cleared(registration)) ?? registration
        if registration != keeper.registration { keeper.update(registration) }
    }

    /// Raises the warning about whose registration this is.
    func warnMachine(_ registration: Registration?) {
        let present = registration.flatMap { Warnable($0.standing) }
        for warnable in [Warnable.anotherMachine, .imageCopy] {
            warnings.set(
                warnable, warnable == present,
                ending: registration?.isOwn == true ? .solved : .withdrawn)
        }
    }

    /// Throws if the registration is another machine's: what is done by it would be done for that
    /// machine.
    func mustBeOwn() throws(ControlError) {
        guard let registration = keeper.registration, let warnable = Warnable(registration.standing)
        else { return }
        throw ControlError(.refused, warnable)
    }

    /// Goes on as the registered machine, as a person asked: that machine is used no more. Throws for a
    /// copy of an image, and where the registration cannot be stored.
    func keepRegistration() throws(ControlError) -> RegistrationReport {
        guard var registration = keeper.registration else { throw .notRegistered }
        if registration.standing == .copied { throw ControlError(.refused, .imageCopy) }
        // Of a machine that is another device already, the rows of before must still go.
        registration = try cleared(registration)
        registration.keep(on: traits)
        do throws(RegistrationError) { try keeper.save(registration) } catch {
            throw ControlError(.failure, "\(error)")
        }
        adopt(registration)
        log.notice("this machine goes on as \(registration.deviceName)")
        return RegistrationReport(registration)
    }

    /// Drops what another machine put into the queue, after this machine became another device: the other
    /// machine sends its own copy. Returns the registration by which this machine may send. Throws where
    /// the queue fails.
    func cleared(_ registration: Registration) throws(ControlError) -> Registration {
        guard case .clearing(let end) = registration.standing else { return registration }
        try drop(end)
        var cleared = registration
        cleared.machine?.cleared()
        return cleared
    }

    /// Drops what another machine put into the queue, before its registration is forgotten here.
    func dropRowsOfOtherMachine() throws(ControlError) {
        if let end = keeper.registration?.standing.endOfOther { try drop(end) }
    }

    private func drop(_ end: RegisteredMachine.QueueEnd) throws(ControlError) {
        // A queue that was begun since then has no row of the other machine.
        guard end.queue == queueID else { return }
        do throws(DatabaseError) { try delivery.drop(through: end.rows) } catch {
            throw ControlError(
                .failure, "what the other machine had queued cannot be dropped: \(error.message)",
                hint: "nothing is sent. Correct the fault, then run: systemctl restart homing")
        }
    }
}

extension Warnable {
    /// Makes the warning of a standing; `nil` of this machine's own registration.
    init?(_ standing: RegisteredMachine.Standing) {
        switch standing {
        case .own: return nil
        case .moved, .clearing: self = .anotherMachine
        case .copied: self = .imageCopy
        }
    }
}
