/// The limits of a store.
public struct StoreLimits: Equatable, Sendable {
    /// Notifications of a mailbox and day; 0: no limit.
    public var maximum = 150
    /// Commands and critical notifications of a mailbox and day; 0: no limit.
    public var commands = 1500
    /// Messages that wait in a mailbox.
    public var messages = 200
    /// Bytes of the parcels that wait in a mailbox.
    public var mailboxBytes = 512 << 10
    /// Bytes of all mailboxes on the disk.
    public var bytes = 1 << 30
    /// Mailboxes that hold something or have to be remembered.
    public var mailboxes = 100_000
    /// Invitations that are open.
    public var invitations = 1000

    public init() {}
}
