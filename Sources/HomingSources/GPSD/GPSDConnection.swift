internal import CGLib
internal import CGPS
internal import Glibc
internal import HomingJSON
internal import HomingLocation
internal import HomingRuntime

/// An open connection to gpsd, watching all its receivers. libgps(3) reads gpsd's reports; the
/// socket is ours, as `gps_open` would block the loop.
@LoopActor final class GPSDConnection {
    /// Message from gpsd.
    enum Event {
        /// A TPV report, with or without a fix.
        case report(PositionReport)
        /// A report of a receiver that was not chosen.
        case otherReceiver
        /// A SKY report, which `sky` and `hdop` read; whether it may have an HDOP.
        case sky(hasHDOP: Bool)
        /// The receiver told the time of day: seconds since midnight, UTC.
        case timeOfDay(Seconds)
        /// Devices that gpsd has open; comes after opening, and whenever a device comes or goes.
        case receivers([String])
        /// The connection is over, and closed; the text says why.
        case lost(String)
    }

    /// Bytes of the longest line there may be: twice what gpsd allows itself (GPS_JSON_RESPONSE_MAX).
    private static let longestLine = 20_480
    /// Bytes that are read at a time.
    private static let chunk = 8192
    private static let reportRequest = "?WATCH={\"enable\":true,\"json\":true};\n"
    private static let deviceListRequest = "?DEVICES;\n"

    private let descriptor: Int32
    /// Owned, as large as gpsd's whole view of the sky; `nil` when closed. What libgps makes of a
    /// report: it has no socket of its own.
    nonisolated(unsafe) private var data: UnsafeMutablePointer<gps_data_t>?
    private var watch: Watch?
    /// Owned: what came from gpsd, from the beginning of a line on. Each line is read where it lies.
    nonisolated(unsafe) private let input: UnsafeMutablePointer<UInt8>
    /// Bytes in `input`.
    private var filled = 0
    private var skyLines = SkyLines()
    private let device: String?
    private let handle: @LoopActor (Event) -> Void

    /// Takes over a connected socket, and asks gpsd to report.
    ///
    /// - Parameters:
    ///   - device: the one receiver whose reports count; `nil` for all.
    init(
        _ descriptor: Int32, device: String? = nil, handle: @escaping @LoopActor (Event) -> Void
    ) {
        self.descriptor = descriptor
        self.device = device
        self.handle = handle
        input = .allocate(capacity: Self.longestLine + Self.chunk)
        let data = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)
        memset(data, 0, MemoryLayout<gps_data_t>.size)
        data.pointee.gps_fd = -1
        self.data = data
        Self.configure(descriptor)
        // A failure shows as a hang-up at the next reading.
        sendGPSDRequest(Self.reportRequest)
        watch = Watch.descriptor(descriptor, G_IO_IN) { [weak self] in
            self?.read()
            return .again
        }
    }

    /// A child of ours must not inherit the connection, which would keep the receiver awake; and a
    /// gpsd on another machine may vanish without a word while it has nothing to report.
    private static func configure(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let options: [(level: Int32, name: Int32, value: Int32)] = [
            (SOL_SOCKET, SO_KEEPALIVE, 1),
            (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 300),
            (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 60),
            (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
        ]
        for var option in options {
            setsockopt(
                descriptor, option.level, option.name, &option.value,
                socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// Hangs up: gpsd may put the receiver to sleep. No event comes after that.
    func close() {
        watch = nil
        release()
    }

    deinit {
        release()
        input.deallocate()
    }

    nonisolated private func release() {
        guard let data else { return }
        self.data = nil
        data.deallocate()
        Glibc.close(descriptor)
    }

    /// Reads what is there, up to a chunk, so that a flood leaves the loop its turns.
    ///
    /// libgps gets only the lines that it can read (`GPSDMessage`), and does not read from the
    /// socket itself: `gps_read` hands itself every line.
    private func read() {
        guard data != nil else { return }
        let count = recv(descriptor, input + filled, Self.chunk, Int32(MSG_DONTWAIT))
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
        guard count > 0 else {
            let text = count == 0 ? "gpsd closed the connection" : String(cString: strerror(errno))
            return lose(text)
        }
        filled += count
        handleLines()
        if data != nil, filled > Self.longestLine { lose("gpsd sent a line without end") }
    }

    /// Handles each whole line. An event may make its receiver close us, which ends it.
    private func handleLines() {
        var deviceChanged = false
        var start = 0
        while let data, let end = memchr(input + start, Int32(UInt8(ascii: "\n")), filled - start) {
            let line = UnsafeBufferPointer(
                start: input + start, count: end - UnsafeMutableRawPointer(input + start))
            start += line.count + 1
            switch GPSDMessage(line) {
            case .position: unpack(line, data)
            case .sky(let hasHDOP): keep(line, hasHDOP: hasHDOP, data)
            case .receivers(let names): handle(.receivers(names))
            case .timeOfDay(let time): handle(.timeOfDay(time))
            case .deviceChanged: deviceChanged = true
            case .other: break
            }
        }
        filled -= start
        memmove(input, input + start, filled)
        // The message that a device was closed does not say how many are left, so whatever happens
        // to one device, gpsd is asked for all.
        if deviceChanged { sendGPSDRequest(Self.deviceListRequest) }
    }

    private func unpack(
        _ line: UnsafeBufferPointer<UInt8>, _ data: UnsafeMutablePointer<gps_data_t>
    ) {
        read(line, data)
        guard isChosen(data) else { return handle(.otherReceiver) }
        if data.pointee.set & UInt64(MODE_SET) != 0, let report = PositionReport(data.pointee.fix) {
            handle(.report(report))
        }
    }

    /// Keeps a SKY report. Which receiver it is of, libgps alone tells.
    private func keep(
        _ line: UnsafeBufferPointer<UInt8>, hasHDOP: Bool, _ data: UnsafeMutablePointer<gps_data_t>
    ) {
        if device != nil {
            read(line, data)
            guard isChosen(data) else { return handle(.otherReceiver) }
        }
        skyLines.keep(line, hasHDOP: hasHDOP)
        handle(.sky(hasHDOP: hasHDOP))
    }

    /// The newest view of the sky; `nil` before the first.
    func sky() -> SkyView? { view(skyLines.newest) }

    /// The newest HDOP; `nil` before the first.
    func hdop() -> Double? { view(skyLines.withHDOP)?.hdop }

    private func view(_ line: [CChar]) -> SkyView? {
        guard let data, !line.isEmpty else { return nil }
        var line = line
        Self.read(&line, data)
        return data.pointee.set & UInt64(SATELLITE_SET) != 0 ? SkyView(data) : nil
    }

    /// Has libgps read a line, whose end becomes the end of a C string.
    private func read(
        _ line: UnsafeBufferPointer<UInt8>, _ data: UnsafeMutablePointer<gps_data_t>
    ) {
        guard let start = line.baseAddress else { return }
        let text = UnsafeMutablePointer(mutating: start)
        text[line.count] = 0
        text.withMemoryRebound(to: CChar.self, capacity: line.count + 1) { Self.read($0, data) }
    }

    /// Has libgps read a C string.
    private static func read(
        _ text: UnsafeMutablePointer<CChar>, _ data: UnsafeMutablePointer<gps_data_t>
    ) {
        data.pointee.set = 0
        gps_unpack(text, data)
    }

    private func isChosen(_ data: UnsafeMutablePointer<gps_data_t>) -> Bool {
        device == nil || device == Self.path(data)
    }

    /// The device that the report just read is of.
    private static func path(_ data: UnsafeMutablePointer<gps_data_t>) -> String {
        withUnsafeBytes(of: &data.pointee.dev.path) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Has gpsd pass on the receiver's sentences from now on, beside its reports. A sentence does not
    /// say which receiver it is of, so gpsd speaks of the chosen receiver alone from now on.
    func askForSentences() {
        let yes = JSONValue.boolean(true)
        var request = ["enable": yes, "json": yes, "nmea": yes]
        if let device { request["device"] = .string(device) }
        sendGPSDRequest("?WATCH=\(JSONValue.object(request).json());\n")
    }

    private func sendGPSDRequest(_ request: String) {
        guard data != nil else { return }
        send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }

    private func lose(_ text: String) {
        close()
        handle(.lost(text))
    }
}
