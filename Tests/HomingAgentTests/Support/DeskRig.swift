import Glibc
import HomeAssistantAPI
import HomingConfiguration
import HomingControl
import HomingDelivery
import HomingHTTP
import HomingMachine
import HomingNotifications
import HomingPush
import HomingRuntime
import HomingTestKit

@testable import HomingAgent

/// A desk of a system's daemon, and the folder that the next one finds. Nobody answers its requests,
/// and what it fires stays in its outbox.
@LoopActor final class DeskRig {
    let folder: TemporaryFolder
    let clock = VirtualClock()
    private let rig: HomeRig
    private(set) var desk: NotificationDesk
    private let opening = Opening()

    var home: Home { rig.home }
    var server: SilentServer { rig.server }
    var outbox: InMemoryOutbox { rig.outbox }

    /// The user at the machine.
    static let anna: UInt32 = 1000

    init() throws {
        // Whoever runs the tests may have a desktop.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        unsetenv("XDG_RUNTIME_DIR")
        folder = try TemporaryFolder()
        rig = try HomeRig(clock: clock)
        desk = Self.desk(rig, folder, clock, opening)
        desk.resumeEarlier()
    }

    /// Whether the home cannot be opened.
    @LoopActor private final class Opening {
        var isFailing = false
    }

    private static func desk(
        _ rig: HomeRig, _ folder: TemporaryFolder, _ clock: VirtualClock, _ opening: Opening
    ) -> NotificationDesk {
        NotificationDesk(
            Configuration(), folder: folder.path, machine: rig.machine, clock: clock,
            home: { _ in opening.isFailing ? nil : rig.home },
            awayExpiry: { _ in opening.isFailing ? 30 : nil })
    }

    /// Has the home be one that cannot be opened, or be open again.
    func closeHome(_ isClosed: Bool) { opening.isFailing = isClosed }

    /// The daemon is killed, and another one starts.
    func restart() {
        desk = Self.desk(rig, folder, clock, opening)
        desk.resumeEarlier()
    }

    func shutdown() {
        desk.shutdown()
        rig.shutdown()
    }

    /// Has her be in front, or away.
    func sessions(locked: Bool) {
        desk.sessionsChanged([
            UserSession(
                user: "anna", isLocal: true, isGraphical: true, isActive: true, isLocked: locked,
                userID: Self.anna)
        ])
    }

    /// A notification on her screen, from before. The desk finds it when it is started again.
    func leaveShown(_ message: PushMessage) {
        let entry = SessionDesktop.Entry(key: "k", message: message, isShown: true)
        SessionDesktops.shown(in: folder.path).store(
            [SessionDesktops.Shown(user: Self.anna, entries: [entry])])
        restart()
    }

    /// Her helper tells that she pressed a button of it.
    @discardableResult func press(_ button: Int, reply: String? = nil) -> Bool {
        let report = DesktopReport.chosen(key: "k", button: button, reply: reply, age: 0)
        return desk.desktops.helpers.desktop(of: Self.anna)?.acceptDesktopReport(report) ?? false
    }

    /// The types of the events that were fired.
    func fired() -> [String] {
        outbox.entries(.events, freshness: .live, after: 0, limit: 100).compactMap { row in
            if case .event(let event) = row.message { event.type } else { nil }
        }
    }
}
