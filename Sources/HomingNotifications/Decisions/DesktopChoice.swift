public import HomingMachine

/// Choice of the desktop that shows what arrives, where the daemon has no desktop of its own. The
/// choice falls on the desktop of the person in front of the machine.
///
/// A user has a desktop here while a helper runs in their session. Who came over the network sits
/// at no machine of ours, whatever else they may do on it.
public struct DesktopChoice: Equatable, Sendable {
    public enum Verdict: Equatable, Sendable {
        /// The number of the user.
        case user(UInt32)
        /// Absence of a desktop; why, for people.
        case nobody(String)
    }

    /// User whose desktop was chosen last.
    private var last: UInt32?

    public init() {}

    /// Whether the user may be shown anything: they have a session at the machine itself, in front
    /// or behind another.
    public static func admits(_ user: UInt32, _ sessions: [UserSession]?) -> Bool {
        sessions?.contains { $0.isLocal && $0.userID == user } ?? false
    }

    /// Whether theirs is the session in front.
    public static func isInFront(_ user: UInt32, _ sessions: [UserSession]?) -> Bool {
        sessions?.contains { $0.isLocal && $0.isActive && $0.userID == user } ?? false
    }

    /// Chooses again.
    ///
    /// - Parameters:
    ///   - helpers: the users whose helper is there.
    ///   - sessions: who is logged in; `nil` where logind does not say.
    public mutating func choose(
        among helpers: Set<UInt32>, _ sessions: [UserSession]?
    ) -> Verdict {
        guard let sessions else {
            return .nobody("logind does not say who is at this machine")
        }
        let local = sessions.filter { $0.isLocal && $0.userID != nil }
        let active = local.filter(\.isActive)
        // With nobody in front the greeter is, by which some desktops lock.
        let candidates = (active.isEmpty ? local : active).compactMap(\.userID)
            .filter(helpers.contains)
        let isOne = Set(candidates).count == 1
        if let last, candidates.contains(last) { return .user(last) }
        if let first = candidates.first, isOne || !active.isEmpty {
            last = first
            return .user(first)
        }
        return .nobody(Self.reason(local, active))
    }

    private static func reason(_ local: [UserSession], _ active: [UserSession]) -> String {
        if local.isEmpty { return "no desktop session on this machine" }
        return "no session helper (package homing-desktop) runs in the session "
            + (active.isEmpty ? "that was in front" : "in front")
    }
}

extension UserSession {
    /// Whether nobody has shown that they may unlock the sessions of this user: one is locked, or
    /// logind, who would know, says nothing of any.
    ///
    /// - Parameter inFront: whether one of them must be in front of the machine too.
    public static func isLocked(
        _ sessions: [UserSession]?, of user: UInt32, inFront: Bool
    ) -> Bool {
        let own = (sessions ?? []).filter { $0.userID == user }
        if own.isEmpty || own.contains(where: \.isLocked) { return true }
        return inFront && !own.contains { $0.isLocal && $0.isActive }
    }
}
