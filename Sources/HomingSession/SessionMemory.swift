internal import HomingBase
internal import HomingControl

/// Memory of a helper between a daemon that goes and a daemon that comes. The memory holds what is
/// on the screen, and what the daemon has not been told. The memory also holds what the person's
/// answers permit.
///
/// The daemon may ask for a text, or open a page, only about a notification that the person has just
/// answered: once for each answer.
struct SessionMemory {
    /// Permit of an answer, as far as the daemon has not used the permit yet.
    private struct Permit {
        let key: String
        var mayAsk = true
        var mayOpen = true
    }

    /// Notifications on the screen that are remembered.
    static let shownLimit = 64
    /// Reports that wait for a daemon, and the bytes of the texts in them: less than a request holds.
    static let waitingLimit = 64
    static let textLimit = 8 << 10
    private static let permitLimit = 32

    /// The keys of what is on the screen, oldest first.
    private(set) var shown: [String] = []
    /// Keys that the notification server was asked to show, and has not yet said anything of.
    private var onTheWay: Set<String> = []
    private var waiting: [(report: DesktopReport, at: Moment)] = []
    /// Number of waiting reports in the greeting that is under way.
    private var greeted = 0
    private var permits: [Permit] = []

    /// Returns the greeting for a daemon; what the greeting holds stays until the daemon took it.
    mutating func greeting(at now: Moment) -> ControlCommand.AttendDesktop {
        greeted = waiting.count
        let reports = waiting.map { $0.report.aged(by: now.uptime - $0.at.uptime) }
        return ControlCommand.AttendDesktop(
            version: homingVersion, shown: shown, reports: reports)
    }

    /// The daemon has taken the greeting. What it has to be told in addition.
    mutating func welcomed() -> [DesktopReport] {
        let rest = waiting.dropFirst(greeted).map(\.report)
        waiting = []
        greeted = 0
        return Array(rest)
    }

    /// Whether it is to be shown: not where it is already, or on its way. A daemon that comes back
    /// may not know that yet.
    mutating func begin(_ key: String) -> Bool {
        !shown.contains(key) && onTheWay.insert(key).inserted
    }

    /// The notification server has it.
    mutating func show(_ key: String) {
        onTheWay.remove(key)
        shown.append(key)
        if shown.count > Self.shownLimit { shown.removeFirst() }
    }

    /// Records an answer to a notification, and gives the daemon its permit.
    ///
    /// - Parameter stays: whether it is on the screen still.
    mutating func answer(_ key: String, stays: Bool) {
        if !stays { end(key) }
        permits.append(Permit(key: key))
        if permits.count > Self.permitLimit { permits.removeFirst() }
    }

    /// Removes a notification that is on the screen no more.
    mutating func end(_ key: String) {
        shown.removeAll { $0 == key }
        onTheWay.remove(key)
    }

    /// Keeps a report for the next daemon; the oldest give way.
    mutating func hold(_ report: DesktopReport, at now: Moment) {
        guard report.outlivesDaemon else { return }
        waiting.append((report, now))
        while waiting.count > Self.waitingLimit
            || waiting.map(\.report.textLength).reduce(0, +) > Self.textLimit
        {
            waiting.removeFirst()
            greeted = max(0, greeted - 1)
        }
    }

    /// Whether the daemon may ask for a text about this notification; it may once.
    mutating func permitsAsking(_ key: String) -> Bool { usePermit(key, \.mayAsk) }

    /// Whether the daemon may open a page for this notification; it may once.
    mutating func permitsOpening(_ key: String) -> Bool { usePermit(key, \.mayOpen) }

    private mutating func usePermit(_ key: String, _ right: WritableKeyPath<Permit, Bool>) -> Bool {
        guard let index = permits.firstIndex(where: { $0.key == key && $0[keyPath: right] })
        else { return false }
        permits[index][keyPath: right] = false
        return true
    }
}

extension DesktopReport {
    /// Whether another daemon can make something of it: what was asked by one is nothing to the next.
    fileprivate var outlivesDaemon: Bool {
        switch self {
        case .shown, .chosen, .clicked, .dismissed, .gone: true
        case .failed, .asked, .done: false
        }
    }

    fileprivate var textLength: Int {
        if case .chosen(_, _, let reply?, _) = self { reply.utf8.count } else { 0 }
    }

    fileprivate func aged(by seconds: Double) -> DesktopReport {
        switch self {
        case .chosen(let key, let button, let reply, let age):
            .chosen(key: key, button: button, reply: reply, age: age + seconds)
        case .clicked(let key, let age): .clicked(key: key, age: age + seconds)
        default: self
        }
    }
}
