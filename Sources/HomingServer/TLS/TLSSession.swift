internal import CGnuTLS
internal import HomingRuntime

/// The outcome of a call that moves bytes.
enum Passage: Equatable {
    case moved(Int)
    /// Wait: no byte can be moved now.
    case waits
    /// The other end has said its last.
    case over
    case failed
}

/// A server's end of a session of TLS. Its owner closes the descriptor.
@LoopActor final class TLSSession {
    nonisolated(unsafe) private let handle: OpaquePointer
    /// Held while the session uses it.
    private let identity: TLSIdentity
    /// Whether bytes are encrypted already that the system has not taken.
    private var isHalfSent = false

    init(_ handle: OpaquePointer, of identity: TLSIdentity) {
        (self.handle, self.identity) = (handle, identity)
    }

    deinit { gnutls_deinit(handle) }

    /// Continues the handshake; returns `moved` at its end.
    func handshake() -> Passage { Self.passage(homing_tls_handshake(handle)) }

    /// Whether a call that waits does so to write.
    var wantsToWrite: Bool { homing_tls_writes(handle) != 0 }

    /// Whether the library holds bytes that `receive` has not returned. The descriptor hides them.
    var hasPending: Bool { gnutls_record_check_pending(handle) > 0 }

    func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Passage {
        Self.passage(homing_tls_receive(handle, buffer.baseAddress, buffer.count))
    }

    /// Sends some of the bytes. If it waits, the next call has to begin with the same bytes.
    func send(_ bytes: UnsafeRawBufferPointer) -> Passage {
        let result =
            isHalfSent
            ? homing_tls_send(handle, nil, 0)
            : homing_tls_send(handle, bytes.baseAddress, bytes.count)
        let passage = Self.passage(result)
        isHalfSent = passage == .waits
        return passage
    }

    /// Says that nothing more is sent, if the system takes it.
    func sayGoodbye() { homing_tls_say_goodbye(handle) }

    private static func passage(_ result: Int) -> Passage {
        switch result {
        case Int(HOMING_TLS_WAITS): .waits
        case Int(HOMING_TLS_OVER): .over
        case Int(HOMING_TLS_FAILED): .failed
        default: .moved(result)
        }
    }
}
