internal import HomeAssistantAPI
internal import HomingBase
internal import HomingControl
internal import HomingHealth
internal import HomingRegistration
internal import HomingRuntime

/// Whether the registration is this machine's. A disk can move to another machine, or be copied.
extension Home {
    /// Compares this machine with the machine that was registered, and notes what is known of it.
    func noteMachine() {
        guard var registration = keeper.registration else { return }
        var machine = registration.machine ?? RegisteredMachine(traits)
        machine.start(on: traits, at: clock.now().unixTime)
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

    /// Goes on as the machine that was registered, as a person asked: it is not used any more.
    func keepRegistration() throws(ControlError) -> RegistrationReport {
        guard var registration = keeper.registration else { throw .notRegistered }
        registration.machine = RegisteredMachine(traits)
        do throws(RegistrationError) { try keeper.save(registration) } catch {
            throw ControlError(.failure, "\(error)")
        }
        adopt(registration)
        log.notice("this machine goes on as \(registration.deviceName)")
        return RegistrationReport(registration)
    }

    /// Drops what another machine put into the queue: that machine sends its own copy.
    func dropRowsOfOtherMachine() {
        guard case .moved(let since)? = keeper.registration?.standing else { return }
        delivery.drop(acceptedBefore: since)
    }
}

extension Warnable {
    /// What is said of a registration that is not this machine's; `nil` of its own.
    init?(_ standing: RegisteredMachine.Standing) {
        switch standing {
        case .own: return nil
        case .moved: self = .anotherMachine
        case .copied: self = .imageCopy
        }
    }
}
