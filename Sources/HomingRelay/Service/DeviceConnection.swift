internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingServer

/// A device's socket, which performs the effects of its `DeviceSession`.
@LoopActor final class DeviceConnection {
    /// A number that is unique in this run.
    let number: Int
    let mailbox: MailboxID
    private let token: PushToken
    private var session: DeviceSession
    private let devices: Devices
    private var socket: ServerSocket?

    init(_ number: Int, _ token: PushToken, _ session: DeviceSession, _ devices: Devices) {
        self.number = number
        mailbox = token.mailbox
        self.token = token
        self.session = session
        self.devices = devices
    }

    /// Whether the device has proved its key.
    var isAttending: Bool { session.isAttending }

    /// Takes over a socket, and greets the device with the challenge.
    func begin(_ socket: ServerSocket, challenge sealed: [UInt8]) {
        self.socket = socket
        send(
            .hello(version: RelayFrame.version, now: devices.room.now, challenge: sealed))
    }

    /// Handles an event of the socket.
    func heard(_ event: ServerSocket.Event) {
        switch event {
        case .text(let text):
            passToSession(.frame(RelayFrame(text, limit: RelayFrame.deviceLimit)))
        case .heard: break
        case .ended:
            passToSession(.gone)
            end()
        }
    }

    /// Passes an event to the session, and performs the effects.
    func passToSession(_ event: DeviceSession.Event) {
        for effect in session.handleDeviceEvent(event, at: devices.uptime) {
            performSessionEffect(effect)
        }
    }

    private func performSessionEffect(_ effect: DeviceSession.Effect) {
        let store = devices.store
        switch effect {
        case .send(let frame): send(frame)
        case .deliver(let message):
            devices.delivered()
            send(.message(id: message.id, now: devices.room.now, parcel: message.parcel))
        case .ready(let mailbox, let renews): ready(mailbox, renews)
        case .attend: devices.attend(self)
        case .open(let generation):
            store.open(mailbox, generation: generation, isProven: true) { [weak self] in
                self?.passToSession(.opened($0))
            }
        case .load(let known, let limit, let bytes):
            store.load(mailbox, except: known, limit: limit, bytes: bytes) { [weak self] in
                self?.passToSession(.loaded($0))
            }
        case .acknowledge(let ids):
            store.acknowledge(mailbox, ids) { [weak self] in
                self?.passToSession(.acknowledged(ids, isDone: (try? $0.get()) != nil))
            }
        case .raise(let generation):
            store.raiseGeneration(mailbox, above: generation) { [weak self] in
                self?.passToSession(.raised($0))
            }
        case .tellDropped(let count):
            devices.leave(.dropped(count), as: .dropped(count), for: token) { [weak self] in
                self?.passToSession(.told)
            }
        case .close(let code):
            socket?.close(code: code)
            end()
        }
    }

    private func ready(_ mailbox: OpenMailbox, _ renews: Bool) {
        var renewal: [UInt8]?
        if renews {
            do throws(SealError) {
                renewal = try devices.room.renewal(of: token, generation: mailbox.generation)
            } catch {
                Log.warning("a token cannot be renewed: \(error)")
            }
        }
        send(.ready(waiting: mailbox.waiting, count: mailbox.count, renewal: renewal))
    }

    private func send(_ frame: RelayFrame) { socket?.send(text: frame.text) }

    private func end() {
        socket = nil
        devices.leave(self)
    }
}
