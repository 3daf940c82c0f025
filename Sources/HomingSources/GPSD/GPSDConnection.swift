internal import CGLib
internal import CGPS
internal import Glibc
internal import HomingCore
internal import HomingRuntime

/// An open connection to gpsd, watching all its receivers, through libgps(3).
@LoopActor final class GPSDConnection {
    /// What gpsd said.
    enum Event {
        /// A TPV report, with or without a fix.
        case report(PositionReport)
        /// A SKY report.
        case sky(SkyView)
        /// How many devices gpsd has open; comes after opening, and whenever one comes or goes.
        case receivers(Int)
        /// The connection is over, and closed; the text says why.
        case lost(String)
    }

    /// Messages handled before the rest of the loop gets its turn.
    private static let burst = 64
    /// What begins a message about one device that came or went (gpsd_json(5)).
    private static let device = Array(#"{"class":"DEVICE""#.utf8CString)
    private static let deviceListRequest = "?DEVICES;\n"

    /// Owned, as large as gpsd's whole view of the sky; `nil` when closed.
    nonisolated(unsafe) private var data: UnsafeMutablePointer<gps_data_t>?
    private var watch: Watch?
    private var remainder: Watch?
    private let handle: @LoopActor (Event) -> Void

    /// Connects, by a blocking call, and asks gpsd to report.
    ///
    /// - Parameter address: a numeric address that has just answered.
    init(
        address: String, port: UInt16, handle: @escaping @LoopActor (Event) -> Void
    ) throws(GPSDError) {
        self.handle = handle
        let data = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)
        memset(data, 0, MemoryLayout<gps_data_t>.size)
        guard gps_open(address, String(port), data) == 0 else {
            // libgps puts its own negative codes into errno, besides the system's.
            let error = GPSDError(message: String(cString: gps_errstr(errno)))
            data.deallocate()
            throw error
        }
        self.data = data
        let descriptor = Int32(data.pointee.gps_fd)
        Self.configure(descriptor)
        // A failure shows as a hang-up at the next reading.
        gps_stream(data, WATCH_ENABLE | WATCH_JSON, nil)
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
        remainder = nil
        release()
    }

    deinit { release() }

    nonisolated private func release() {
        guard let data else { return }
        self.data = nil
        gps_close(data)
        data.deallocate()
    }

    /// Reads what is there. An event may make its receiver close us, so nothing of libgps is kept
    /// over one.
    private func read() {
        var start = [CChar](repeating: 0, count: Self.device.count)
        var deviceChanged = false
        var messages = 0
        while let data {
            guard messages < Self.burst else {
                remainder = Watch.retry(after: 0) { [weak self] in self?.read() }
                break
            }
            messages += 1
            // libgps clears the mask only when it parses: a message it ignores would look like the
            // one before it.
            data.pointee.set = 0
            let count = gps_read(data, &start, Int32(start.count))
            if count < 0 { return lose(data) }
            if count == 0 { break }
            if start == Self.device { deviceChanged = true }
            report(data)
            if self.data == nil || !gps_waiting(data, 0) { break }
        }
        if deviceChanged { askForDevices() }
    }

    private func report(_ data: UnsafeMutablePointer<gps_data_t>) {
        let set = data.pointee.set
        if set & UInt64(DEVICELIST_SET) != 0 {
            handle(.receivers(Self.openDevices(data)))
        } else if set & UInt64(MODE_SET) != 0, let report = PositionReport(data.pointee.fix) {
            handle(.report(report))
        } else if set & UInt64(SATELLITE_SET) != 0 {
            handle(.sky(SkyView(data)))
        }
    }

    /// gpsd lists what it was told to use; what it has open has a time of activation.
    private static func openDevices(_ data: UnsafeMutablePointer<gps_data_t>) -> Int {
        let count = max(0, Int(data.pointee.devices.ndevices))
        return withUnsafeBytes(of: &data.pointee.devices.list) { list in
            list.bindMemory(to: devconfig_t.self).prefix(count).count { $0.activated.tv_sec > 0 }
        }
    }

    /// libgps cannot read the message that a device was closed (`"activated":0`, where it expects a
    /// date), so whatever happens to one device, gpsd is asked for all.
    private func askForDevices() {
        guard let data else { return }
        send(
            Int32(data.pointee.gps_fd), Self.deviceListRequest, Self.deviceListRequest.utf8.count,
            Int32(MSG_NOSIGNAL))
    }

    /// `gps_read` answers −1 for an error (errno), for an end, and when its buffer (20 kB in 3.22)
    /// is full without a line end; in the last case there is more to read.
    private func lose(_ data: UnsafeMutablePointer<gps_data_t>) {
        let number = errno
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
        let text =
            if number != 0 {
                String(cString: strerror(number))
            } else if recv(Int32(data.pointee.gps_fd), &byte, 1, flags) == 0 {
                "gpsd closed the connection"
            } else {
                "gpsd sent a line without end"
            }
        close()
        handle(.lost(text))
    }
}

/// libgps could not connect; the text is its own.
struct GPSDError: Error, Equatable {
    let message: String
}
