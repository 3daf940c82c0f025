import CGLib
import Glibc
import HomingRuntime

/// A server in gpsd's place, for the faults that the real one cannot make.
///
/// `GPSDSource` comes twice at each try: to probe, and for good.
@LoopActor final class FakeGPSD {
    /// Connection of one client.
    @LoopActor final class Client {
        private let descriptor: Int32
        private var reading: Watch?
        private var writing: Watch?
        private(set) var received = ""
        private(set) var hungUp = false

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
            reading = Watch.descriptor(descriptor, G_IO_IN) { [weak self] in self?.read() ?? .done }
        }

        deinit { close(descriptor) }

        private func read() -> Watch.Next {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            hungUp = count <= 0
            received += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            return hungUp ? .done : .again
        }

        /// Writes as much as the socket takes.
        @discardableResult func send(_ text: String) -> Int {
            let bytes = Array(text.utf8)
            return Glibc.send(
                descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }

        /// Ends the connection with a reset.
        func reset() {
            var hard = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
            reading = nil
            hungUp = true
            dup2(Self.nothing, descriptor)
        }

        private static let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)

        /// Writes it again and again, as fast as it is read.
        func flood(_ text: String) {
            writing = Watch.descriptor(descriptor, G_IO_OUT) { [weak self] in
                guard let self, !self.hungUp else { return .done }
                self.send(text)
                return .again
            }
        }
    }

    static let version =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"#
        + #""proto_minor":14}"# + "\r\n"
    static let oneReceiver =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","#
        + #""path":"/dev/ttyUSB0","driver":"u-blox","activated":"2026-11-20T10:00:00.000Z"}]}"#
        + "\r\n"
    static let noReceiver = #"{"class":"DEVICES","devices":[]}"# + "\r\n"
    static let fix =
        #"{"class":"TPV","mode":3,"time":"2026-11-20T10:00:00.000Z","lat":48.5,"#
        + #""lon":11.5,"eph":9.5}"# + "\r\n"

    let port: UInt16
    private(set) var clients: [Client] = []
    private let listener: Int32
    private var accepting: Watch?

    /// - Parameters:
    ///   - port: 0 for a free one.
    ///   - greet: gets each client when it comes.
    init(port: UInt16 = 0, _ greet: @escaping @LoopActor (Client) -> Void) throws {
        listener = try Loopback.bound(.stream, port: port)
        self.port = Loopback.port(of: listener)
        guard listen(listener, 16) == 0 else { throw SystemError("listen") }
        accepting = Watch.descriptor(listener, G_IO_IN) { [weak self, listener] in
            let client = Client(accept(listener, nil, nil))
            self?.clients.append(client)
            greet(client)
            return .again
        }
    }

    deinit { close(listener) }

    /// A server that says these messages to each client.
    convenience init(saying messages: String...) throws {
        try self.init { $0.send(FakeGPSD.version + messages.joined()) }
    }

    /// Clients that asked to watch, so not the probes.
    var watchers: [Client] { clients.filter { $0.received.contains("?WATCH") } }
}
