/// A reason for which a store did not do its work.
public struct StoreFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of a failure, by which callers decide.
    public enum Kind: Equatable, Sendable {
        /// Too much waits already: the disk is slower than the senders.
        case overloaded
        /// The disk has no room.
        case full
        /// Anything else of the disk or the file; the next try may succeed.
        case failed
        /// The store is closed.
        case closed
        /// The engine must be set up otherwise.
        case unfit
        /// A generation, or the list of invitations, is at its end.
        case exhausted
    }

    public let kind: Kind
    /// The reason, for the operator; the reason may name the file.
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    static let overloaded = StoreFailure(
        .overloaded, "too many operations wait: the disk is slower than the senders")
    /// An answer that did not come in time.
    static let late = StoreFailure(.overloaded, "the store does not answer in time")
    static let noRoom = StoreFailure(
        .full, "the disk of the mailboxes is nearly full: make room there")
    static let closed = StoreFailure(.closed, "the store is closed")
}
