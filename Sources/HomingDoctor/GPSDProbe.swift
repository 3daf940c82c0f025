internal import CGIO
internal import Glibc
internal import HomingBus
internal import HomingJSON
public import HomingRuntime

/// Answers of gpsd within a few seconds, asked over its socket (gpsd_json(5)). The probe waits, as
/// it is for a command. libgps is the daemon's.
public struct GPSDProbe: Equatable, Sendable {
    /// The one receiver that is looked at; `nil` for any.
    var device: String?
    /// gpsd's version.
    public var version: String?
    /// The receivers it has, by their devices.
    public var receivers: [String] = []
    /// gpsd's `mode` of the best report seen; 0 for none.
    public var mode = 0
    /// Degrees.
    public var latitude: Double?
    /// Degrees.
    public var longitude: Double?
    /// Metres (95 %).
    public var accuracy: Double?
    /// Seconds since 1970, by the receiver.
    public var time: Double?

    /// Asks; throws why it cannot be asked.
    ///
    /// - Parameter seconds: for the connection, and again for a fix. A receiver that rests takes
    ///   some to say what it knows.
    public static func read(
        host: String, port: UInt16, device: String? = nil, seconds: Double = 6
    ) throws(SystemError) -> GPSDProbe {
        let descriptor = try connect(host, port, seconds: min(seconds, 5))
        defer { close(descriptor) }
        let hello = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
        guard send(descriptor, hello, hello.count, Int32(MSG_NOSIGNAL)) == hello.count else {
            throw SystemError("cannot ask gpsd at \(host):\(port)")
        }
        var probe = GPSDProbe(device: device)
        let deadline = SystemClock.now().uptime + seconds
        var input: [UInt8] = []
        while !probe.isComplete, waitUntilReadable(descriptor, deadline) {
            var chunk = [UInt8](repeating: 0, count: 8192)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0, input.count < 1 << 20 else { break }
            input += chunk[..<count]
            while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                probe.readGPSDLine(Array(input[..<end]))
                input.removeSubrange(...end)
            }
        }
        guard probe.version != nil else {
            throw SystemError(
                "gpsd at \(host):\(port) does not answer, is starting, or is another program",
                number: EPROTO)
        }
        return probe
    }

    /// Whether there is a fix that lacks nothing: the first report after a fix may lack its time.
    private var isComplete: Bool { mode >= 2 && time != nil && isAccuracyKnown }

    /// Whether the receiver says how good its fix is.
    var isAccuracyKnown: Bool { accuracy.map { $0.isFinite && $0 > 0 } ?? false }

    /// Reads one line from gpsd.
    mutating func readGPSDLine(_ line: [UInt8]) {
        guard let report = JSONValue(json: line) else { return }
        switch report["class"]?.string {
        case "VERSION": version = report["release"]?.string ?? "?"
        case "DEVICES":
            receivers = report["devices"]?.elements.compactMap { $0["path"]?.string } ?? []
        case "TPV":
            guard device == nil || report["device"]?.string == device else { return }
            let mode = report["mode"]?.whole ?? 0
            self.mode = max(self.mode, mode)
            guard mode >= 2 else { return }
            (latitude, longitude) = (report["lat"]?.number, report["lon"]?.number)
            accuracy = report["eph"]?.number ?? accuracy
            time = report["time"]?.string.flatMap(Self.seconds) ?? time
        default: break
        }
    }

    /// ISO 8601, as gpsd writes it.
    private static func seconds(_ text: String) -> Double? {
        guard let time = g_date_time_new_from_iso8601(text, nil) else { return nil }
        defer { g_date_time_unref(time) }
        return Double(g_date_time_to_unix(time)) + Double(g_date_time_get_microsecond(time)) / 1e6
    }

    private static func waitUntilReadable(_ descriptor: Int32, _ deadline: Double) -> Bool {
        let left = deadline - SystemClock.now().uptime
        guard left > 0 else { return false }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, Int32(left * 1000)) > 0
    }

    /// GIO connects to each of a name's addresses in turn.
    private static func connect(
        _ host: String, _ port: UInt16, seconds: Double
    ) throws(SystemError) -> Int32 {
        let client = g_socket_client_new()
        defer { g_object_unref(client) }
        g_socket_client_set_timeout(client, guint(seconds))
        g_socket_client_set_enable_proxy(client, 0)
        let connection: UnsafeMutablePointer<GSocketConnection>
        do throws(GLibError) {
            connection = try GLibError.check {
                g_socket_client_connect_to_host(client, host, port, nil, &$0)
            }.get()
        } catch {
            throw SystemError("gpsd at \(host):\(port): \(error)", number: ECONNREFUSED)
        }
        defer { g_object_unref(connection) }
        let descriptor = dup(g_socket_get_fd(g_socket_connection_get_socket(connection)))
        guard descriptor >= 0 else { throw SystemError("cannot keep the connection to gpsd") }
        _ = fcntl(descriptor, F_SETFL, 0)
        return descriptor
    }
}
