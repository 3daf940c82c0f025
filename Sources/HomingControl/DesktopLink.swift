internal import Glibc
internal import HomingJSON
public import HomingRuntime

/// A session helper's end of the control socket, on the loop.
@LoopActor public final class DesktopLink {
    public enum Event {
        case order(DesktopOrder)
        case refused(ControlError)
        /// The daemon has gone, or has shown us out. Told once, and last.
        case ended
    }

    /// Bytes of an order: a picture of 1 MiB in Base64, and what is around it.
    static let maxOrder = 2 << 20
    private static let attendance = 1

    private let told: @LoopActor (Event) -> Void
    private var channel: LineChannel?
    private var lastID = DesktopLink.attendance

    /// Connects at once, and greets.
    ///
    /// - Parameters:
    ///   - path: of the socket.
    ///   - greeting: what is there from an earlier connection.
    public init(
        path: String, greeting: ControlCommand.AttendDesktop,
        told: @escaping @LoopActor (Event) -> Void
    ) throws(SystemError) {
        self.told = told
        let descriptor = try UnixSocket.connectAtOnce(to: path)
        channel = LineChannel(descriptor, lineLimit: Self.maxOrder, chunk: 1 << 16) {
            [weak self] in self?.heard($0)
        }
        channel?.send(LineRequest(id: Self.attendance, ControlRequest(.attendDesktop(greeting))))
    }

    /// Tells the daemon.
    public func report(_ report: DesktopReport) {
        lastID += 1
        channel?.send(LineRequest(id: lastID, ControlRequest(.reportDesktop(report))))
    }

    /// Ends it; nothing more is told.
    public func close() {
        let channel = channel
        self.channel = nil
        channel?.close()
    }

    /// A reply of the daemon's, as far as it is looked at.
    private struct Reply: Decodable {
        var id: Int
        var event: DesktopOrder?
        var error: ControlError?
    }

    private func heard(_ event: LineChannel.Event) {
        guard channel != nil else { return }
        switch event {
        case .line(let line): handleDaemonLine(line)
        case .overlong: Log.warning("the daemon sent a message above the size limit")
        case .ended:
            channel = nil
            told(.ended)
        }
    }

    private func handleDaemonLine(_ line: [UInt8]) {
        guard let reply = try? JSON.decode(Reply.self, from: line) else {
            return Log.info("the daemon sent a message that this version does not know")
        }
        if let order = reply.event {
            told(.order(order))
        } else if let error = reply.error {
            guard reply.id <= Self.attendance else {
                return Log.info("the daemon did not take a report: \(error.message)")
            }
            told(.refused(error))
        }
    }
}
