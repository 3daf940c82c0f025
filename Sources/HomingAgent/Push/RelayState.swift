internal import HomingPush
internal import HomingRegistration
internal import HomingRuntime

/// The state of a home's end of a relay at one moment, for people.
struct RelayState: Sendable {
    /// `nil` where no relay was joined.
    let membership: RelayMembership?
    /// `[push] url`: another relay, which then is the one that counts.
    let configured: String?
    let mode: RelayMode
    /// `nil` while there is no link.
    let session: RelaySession?
    /// Whether the connection is for a look.
    let isLooking: Bool
    let counts: RelayLink.Counts
    let refusedContents: Int
    let others: Int
    let refusedCommands: Int
    /// Reason why the front was not told at the last try.
    let frontProblem: String?
    let isAsleep: Bool
}
