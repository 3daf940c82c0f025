internal import HomingBase
internal import HomingRelayProtocol

/// The rule by which devices get tokens.
public enum JoinMode: String, CaseIterable, Sendable {
    /// Every device may join.
    case open
    /// A device with the code of an invitation may join.
    case code
    /// Refusal of every device. Devices that have joined keep their tokens.
    case closed
}

/// Decides about devices that ask for a token.
struct JoinDesk: Sendable {
    let mode: JoinMode

    /// The decision about a device.
    enum Verdict: Equatable, Sendable {
        case refused(RelayRefusal)
        /// Ask the store to use the invitation up; then `judge(isGood:…)`.
        case spend(InvitationCode)
        /// Give the device its token.
        case issue
    }

    /// Decides about a request. A code counts as a wrong guess until the store accepts the code, so
    /// that parallel guesses are limited like successive guesses.
    ///
    /// - Parameter now: uptime.
    func judge<Address>(
        _ request: JoinRequest, from address: Address, _ throttle: inout Throttle<Address>,
        at now: Seconds
    ) -> Verdict {
        if mode == .closed { return .refused(.joinClosed) }
        guard throttle.allows(.join, by: address, at: now) else { return .refused(.tooManyJoins) }
        if mode == .open {
            throttle.note(.join, by: address, at: now)
            return .issue
        }
        guard let code = request.code else { return .refused(.codeNeeded) }
        guard throttle.allows(.guess, by: address, at: now) else {
            return .refused(.tooManyGuesses)
        }
        throttle.note(.guess, by: address, at: now)
        guard let code = InvitationCode(typed: code) else { return .refused(.codeWrong) }
        return .spend(code)
    }

    /// Decides about the store's answer to `spend`.
    func judge<Address>(
        isGood: Bool, from address: Address, _ throttle: inout Throttle<Address>, at now: Seconds
    ) -> Verdict {
        guard isGood else { return .refused(.codeWrong) }
        throttle.takeBack(.guess, by: address)
        throttle.note(.join, by: address, at: now)
        return .issue
    }

    /// Takes the guess back after a failure of the store.
    func forgive<Address>(_ address: Address, _ throttle: inout Throttle<Address>) {
        throttle.takeBack(.guess, by: address)
    }
}
