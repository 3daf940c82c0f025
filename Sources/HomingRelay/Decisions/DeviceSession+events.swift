internal import HomingRelayProtocol

/// Events and effects of a session.
extension DeviceSession {
    /// An event of the socket, the store or the relay.
    enum Event: Sendable {
        /// A frame; `nil` for a text that is not a frame.
        case frame(RelayFrame?)
        /// The time for the proof is over.
        case deadline
        case opened(Result<MailboxView, StoreFailure>)
        case loaded(Result<LoadedMessages, StoreFailure>)
        /// The store has deleted these, or could not.
        case acknowledged([MessageID], isDone: Bool)
        case raised(Result<UInt16, StoreFailure>)
        /// The notice about dropped messages was left, or not.
        case told
        /// `wake`: a message was stored for the device. `look`: the time to look for a lost wake.
        case wake
        case look
        /// The operator has blocked the mailbox.
        case blocked
        /// The relay ends, or the device has too many sockets.
        case farewell(seconds: Int, why: String)
        /// The socket is closed.
        case gone
    }

    /// An order of the session's to its connection.
    enum Effect: Equatable, Sendable {
        case send(RelayFrame)
        /// Sends a message with the relay's time.
        case deliver(StoredMessage)
        /// Says that the mailbox is open, with another token if `renews`.
        case ready(OpenMailbox, renews: Bool)
        /// Opens the mailbox in the store.
        case open(generation: UInt16)
        /// Registers the device for wakes.
        case attend
        case load(except: Set<MessageID>, limit: Int, bytes: Int)
        case acknowledge([MessageID])
        case raise(above: UInt16)
        /// Leaves a notice that so many messages were dropped.
        case tellDropped(Int)
        /// Ends the socket with that code of RFC 6455.
        case close(UInt16)
    }
}
