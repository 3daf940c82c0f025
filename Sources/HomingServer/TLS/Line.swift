internal import Glibc
internal import HomingRuntime

/// Path of a WebSocket's bytes: over a plain connection, or within TLS.
@LoopActor struct Line {
    /// The owner's descriptor, which the owner closes; negative without a descriptor.
    let descriptor: Int32
    private let session: TLSSession?

    init(_ descriptor: Int32, _ session: TLSSession? = nil) {
        (self.descriptor, self.session) = (descriptor, session)
    }

    private var socket: Socket { Socket(descriptor) }

    /// Whether bytes have come that no descriptor shows.
    var hasPending: Bool { session?.hasPending ?? false }

    func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Passage {
        session.map { $0.receive(buffer) } ?? socket.receive(buffer)
    }

    /// Sends some of the bytes. If it waits, the next call has to begin with the same bytes.
    func send(_ bytes: UnsafeRawBufferPointer) -> Passage {
        session.map { $0.send(bytes) } ?? socket.pass(bytes)
    }

    /// Says that nothing more is sent.
    func endSending() {
        session?.sayGoodbye()
        socket.endSending()
    }

    /// Sets an option of TCP; some kinds of socket do not know it.
    func setTCP(_ name: Int32, _ value: Int32) { socket.set(Int32(IPPROTO_TCP), name, value) }
}

extension Socket {
    func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Passage {
        let count = receiveNow(buffer)
        return count > 0 ? .moved(count) : count == 0 ? .over : Self.trouble
    }

    /// Sends as many bytes as the system takes now.
    func pass(_ bytes: UnsafeRawBufferPointer) -> Passage {
        let count = send(bytes)
        return count >= 0 ? .moved(count) : Self.trouble
    }

    private static var trouble: Passage {
        [EAGAIN, EINTR].contains(errno) ? .waits : .failed
    }
}
