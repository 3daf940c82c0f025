internal import HomingRelayProtocol

/// The purpose of a path. A proxy may have put something in front of the path.
enum RelayRoute: Equatable {
    case push, check, sealed, join, forward, mailbox

    /// `nil` where nothing is.
    init?(_ path: String) {
        if path.hasSuffix(RelayPath.check) {
            self = .check
        } else if path.hasSuffix(RelayPath.sealed) {
            self = .sealed
        } else if path.hasSuffix(RelayPath.join) {
            self = .join
        } else if path.hasSuffix(RelayPath.forward) {
            self = .forward
        } else if path.hasSuffix(RelayPath.mailbox) {
            self = .mailbox
        } else if path.hasSuffix("/push") {
            self = .push
        } else {
            return nil
        }
    }

    var method: String { self == .mailbox ? "GET" : "POST" }

    /// Whether a front, which has no mailboxes for devices, refuses the route.
    var isOfMailboxes: Bool { self == .mailbox || self == .sealed }
}
