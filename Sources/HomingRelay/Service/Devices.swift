internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingServer

/// The devices that are connected: welcomes them, wakes them, and sends them away.
@LoopActor final class Devices {
    /// Seconds between two looks for lost wakes.
    static let lookInterval: Seconds = 60
    /// Mailboxes of a question to the store.
    private static let lookSize = 500
    /// Seconds that a device stays away after it had too many sockets.
    private static let crowdedAbsence = 60

    let room: SealingRoom
    let store: any MailboxStore
    private let clock: any Clockwork
    private let presence = Presence()
    /// All sockets, proved or not.
    private var connections: [Int: DeviceConnection] = [:]
    private var lastNumber = 0
    private var proofs: DueList<Int>?
    private var looking: (any Alarm)?
    /// Messages that were sent since the start, repeats included.
    private(set) var sent = 0

    init(_ room: SealingRoom, _ store: any MailboxStore, _ clock: any Clockwork) {
        self.room = room
        self.store = store
        self.clock = clock
        proofs = DueList(after: DeviceSession.proofTime, clock) { [weak self] in
            self?.connections[$0]?.passToSession(.deadline)
        }
    }

    var uptime: Seconds { clock.now().uptime }

    /// Sockets, and mailboxes whose device is here.
    var counts: (sockets: Int, mailboxes: Int) { (connections.count, presence.count) }

    /// Whether the device of a mailbox is here.
    func isHere(_ mailbox: MailboxID) -> Bool { !presence.connections(of: mailbox).isEmpty }

    /// Upgrades the request of a device to a socket, and sends the challenge.
    /// The caller has checked the token.
    func welcome(_ request: ServerRequest, _ token: PushToken) {
        let challenge: Challenge
        do throws(SealError) {
            challenge = try room.challenge(for: token)
        } catch {
            Log.warning("a machine cannot be greeted: \(error)")
            return request.answer(.refused(error == .noMemory ? .failed : .badToken))
        }
        let session = DeviceSession(token, isOld: room.ring.isOld(token), challenge: challenge)
        lastNumber += 1
        let connection = DeviceConnection(lastNumber, token, session, self)
        let socket = request.upgrade(limit: RelayFrame.deviceLimit) { [weak connection] in
            connection?.heard($0)
        }
        guard let socket else { return }
        connections[connection.number] = connection
        proofs?.add(connection.number)
        connection.begin(socket, challenge: challenge.sealed)
    }

    /// Registers a device that has proved its key.
    func attend(_ connection: DeviceConnection) {
        if !isHere(connection.mailbox) { store.follow(connection.mailbox) }
        let surplus = presence.add(connection)
        surplus?.passToSession(
            .farewell(
                seconds: Self.crowdedAbsence, why: RelayRefusal.tooManySockets.description))
        guard looking == nil else { return }
        looking = clock.slowTimer(Self.lookInterval) { [weak self] in self?.look() ?? .done }
    }

    /// Removes a closed socket.
    func leave(_ connection: DeviceConnection) {
        connections[connection.number] = nil
        let wasHere = isHere(connection.mailbox)
        presence.remove(connection)
        if wasHere, !isHere(connection.mailbox) { store.unfollow(connection.mailbox) }
        if presence.count == 0 { looking = nil }
    }

    /// Wakes the device of a mailbox: a message was stored.
    func wake(_ mailbox: MailboxID) { notifySockets(mailbox, .wake) }

    /// Sends an event to all sockets of a mailbox.
    func notifySockets(_ mailbox: MailboxID, _ event: DeviceSession.Event) {
        for connection in presence.connections(of: mailbox) { connection.passToSession(event) }
    }

    func delivered() { sent += 1 }

    /// Leaves a notice in the mailbox of a token.
    func leave(
        _ notice: RelayNotice, as stored: Deposit.Notice, for token: PushToken,
        told: @escaping @LoopActor () -> Void = {}
    ) {
        do throws(SealError) {
            let deposit = try room.deposit(notice, as: stored, for: token)
            store.accept(deposit) { _ in told() }
        } catch {
            Log.warning("cannot encrypt a notice: \(error)")
            told()
        }
    }

    /// Asks the store whether something waits for a device that is here.
    private func look() -> Watch.Next {
        for connection in Array(connections.values) { connection.passToSession(.look) }
        let mailboxes = presence.mailboxes
        for start in stride(from: 0, to: mailboxes.count, by: Self.lookSize) {
            let some = Array(mailboxes[start...].prefix(Self.lookSize))
            store.waiting(among: some) { [weak self] result in
                for mailbox in (try? result.get()) ?? [] { self?.wake(mailbox) }
            }
        }
        return .again
    }

    /// Sends all devices away, to come back spread over so many seconds.
    func farewell(within seconds: ClosedRange<Int>, why: String) {
        for connection in Array(connections.values) {
            connection.passToSession(.farewell(seconds: Int.random(in: seconds), why: why))
        }
    }
}
