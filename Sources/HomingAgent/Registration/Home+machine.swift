internal import HomeAssistantAPI
internal import HomingControl
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
        machine.start(on: traits) { delivery.lastNumbers }
        guard machine != registration.machine else { return }
        registration.machine = machine
        keeper.update(registration)
    }

    /// Raises the warning about whose registration this is.
    func warnMachine(_ registration: Registration?) {
        let present = registration.flatMap { Warnable($0.standing) }
        for warnable in [Warnable.anotherMachine, .imageCopy] {
            warnings.set(warnable, warnable == present)
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
        registration.keep(on: traits)
        do throws(RegistrationError) { try keeper.save(registration) } catch {
            throw ControlError(.failure, "\(error)")
        }
        adopt(registration)
        log.notice("this machine goes on as \(registration.deviceName)")
        return RegistrationReport(registration)
    }

    /// Drops what another machine put into the queue: that machine sends its own copy.
    func dropRowsOfOtherMachine() throws(ControlError) {
        guard case .moved(let rows)? = keeper.registration?.standing else { return }
        do throws(DatabaseError) { try delivery.drop(through: rows) } catch {
            throw ControlError(
                .failure, "what the other machine had queued cannot be dropped: \(error.message)",
                hint: "nothing is sent; correct the fault, then give the same command again")
        }
    }
}

extension Warnable {
    /// Makes the warning of a standing; `nil` of this machine's own registration.
    init?(_ standing: RegisteredMachine.Standing) {
        switch standing {
        case .own: return nil
        case .moved: self = .anotherMachine
        case .copied: self = .imageCopy
        }
    }
}
