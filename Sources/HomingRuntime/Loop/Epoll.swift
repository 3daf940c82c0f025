internal import CGLib
internal import CLinux
internal import Glibc

/// Events that an `Epoll` is asked for on a descriptor, and that the `Epoll` tells.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something can be read, or the other end has said its last.
    public static let reading = Readiness(rawValue: 0x001)
    /// Something can be written.
    public static let writing = Readiness(rawValue: 0x004)
    /// The other end has said its last, of which something may still be there to read.
    public static let closing = Readiness(rawValue: 0x2000)
    /// The connection is broken, or over in both directions; told without being asked for.
    public static let ended = Readiness(rawValue: 0x008 | 0x010)
    /// Asks to be told one time; `change` asks again.
    public static let once = Readiness(rawValue: 1 << 30)
}

/// The operations for which a descriptor of an `Epoll` is ready.
@LoopActor public protocol EpollMember: AnyObject {
    func isReady(_ readiness: Readiness)
}

/// Any number of descriptors as one source of the loop: epoll(7).
///
/// With a `Watch` for each of 5000 sockets, every turn of the loop costs 0.5 ms more: GLib hands all
/// of them to poll(2). Here a turn costs what is ready.
@LoopActor public final class Epoll {
    private struct Entry {
        let member: any EpollMember
        /// Generation of the request, as the system gives numbers of descriptors again.
        let generation: UInt32
    }

    /// Descriptors that are served in one turn of the loop.
    private static let most = 256

    private let descriptor: Int32
    /// Memory that only the loop's thread touches, but `deinit` is not isolated.
    nonisolated(unsafe) private let events: UnsafeMutablePointer<epoll_event>
    /// Entries by the number of the descriptor.
    private var entries: [Entry?] = []
    private var generation: UInt32 = 0
    private var watch: Watch?

    public init() throws(SystemError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError("cannot make an epoll descriptor") }
        events = .allocate(capacity: Self.most)
        watch = Watch.readable(descriptor) { [weak self] in
            self?.turn()
            return .again
        }
    }

    deinit {
        watch?.cancel()
        events.deallocate()
        Glibc.close(descriptor)
    }

    /// Tells the member of the descriptor, and holds it, until `remove`.
    ///
    /// - Throws: if the system refuses, or knows the descriptor already.
    public func add(
        _ descriptor: Int32, _ asked: Readiness, _ member: any EpollMember
    ) throws(SystemError) {
        generation &+= 1
        guard control(EPOLL_CTL_ADD, descriptor, asked, generation) else {
            throw SystemError("cannot watch a descriptor")
        }
        let index = Int(descriptor)
        while entries.count <= index { entries.append(nil) }
        entries[index] = Entry(member: member, generation: generation)
    }

    /// Asks for something else, or again where `once` was asked for. What was so before is told only
    /// if it is so still.
    public func change(_ descriptor: Int32, _ asked: Readiness) {
        guard let entry = entry(Int(descriptor)) else { return }
        generation &+= 1
        entries[Int(descriptor)] = Entry(member: entry.member, generation: generation)
        _ = control(EPOLL_CTL_MOD, descriptor, asked, generation)
    }

    /// Forgets the descriptor; before it is closed.
    public func remove(_ descriptor: Int32) {
        guard entry(Int(descriptor)) != nil else { return }
        entries[Int(descriptor)] = nil
        _ = control(EPOLL_CTL_DEL, descriptor, [], 0)
    }

    private func entry(_ index: Int) -> Entry? {
        entries.indices.contains(index) ? entries[index] : nil
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ asked: Readiness, _ generation: UInt32
    ) -> Bool {
        let token = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
        var event = epoll_event(events: asked.rawValue, data: epoll_data_t(u64: token))
        return epoll_ctl(self.descriptor, operation, descriptor, &event) == 0
    }

    private func turn() {
        let count = epoll_wait(descriptor, events, Int32(Self.most), 0)
        for index in 0..<max(0, Int(count)) {
            let event = events[index]
            let token = event.data.u64
            // What was done for another may have removed it, or asked for something else.
            guard let entry = entry(Int(token & 0xffff_ffff)),
                entry.generation == UInt32(token >> 32)
            else { continue }
            entry.member.isReady(Readiness(rawValue: event.events))
        }
    }
}
