import Glibc
import HomingRuntime
import HomingTestKit

/// The real gpsd, with a receiver that speaks NMEA 0183 over UDP.
@LoopActor final class RealGPSD {
    let port: UInt16
    private let folder: TemporaryFolder
    private let receiverPort: UInt16
    private let receiver: Int32
    private var feed: Watch?
    private var gpsd: Child?

    /// The receiver's name for gpsd.
    var device: String { "udp://127.0.0.1:\(receiverPort)" }
    private var control: String { "\(folder.path)/gpsd.sock" }

    /// Finds the ports; nothing runs yet.
    init() throws {
        folder = try TemporaryFolder()
        // Other users run the service.
        chmod(folder.path, 0o777)
        port = try Loopback.freePort()
        receiverPort = try Loopback.freePort(.datagram)
        receiver = Loopback.open(AF_INET, .datagram)
    }

    deinit { close(receiver) }

    /// Runs gpsd: in the foreground, reading the receiver even without a client.
    func start(withReceiver: Bool = true) throws {
        let arguments = ["gpsd", "-N", "-n", "-b", "-S", String(port), "-F", control]
        gpsd = try Child(arguments + (withReceiver ? [device] : []), unprivileged: true)
    }

    func stop() {
        gpsd?.stop()
        gpsd = nil
    }

    /// Freezes it, or lets it go on.
    func freeze(_ frozen: Bool) { gpsd?.freeze(frozen) }

    /// Tells gpsd of a receiver as udev does, through gpsdctl's socket (gpsd(8)).
    func plug(_ plugged: Bool) throws {
        let descriptor = Loopback.open(AF_UNIX, .stream)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: control.utf8) }
        let error = withUnsafeBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self)
            return connect(descriptor, address.baseAddress, socklen_t(bytes.count))
        }
        guard error == 0 else { throw SystemError("cannot reach gpsd's control socket") }
        let command = Array("\(plugged ? "+" : "-")\(device)\r\n".utf8)
        _ = write(descriptor, command, command.count)
        var answer = [UInt8](repeating: 0, count: 16)
        _ = read(descriptor, &answer, answer.count)
    }

    /// Has the receiver report four times a second from now on.
    func feed(_ epoch: Epoch) {
        feed = Watch.timer(0.25) { [weak self] in
            self?.send(epoch.sentences(at: SystemClock.now().unixTime))
            return .again
        }
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Loopback.withAddress(receiverPort) { address, length in
            sendto(receiver, bytes, bytes.count, 0, address, length)
        }
    }
}

/// Sentences that a receiver says each time it has computed where it is.
enum Epoch {
    /// 48.1173° N, 11.516667° E, 545.4 m above the sea, at 2 m/s to the east.
    case fix
    /// The same, and three satellites in view.
    case fixWithSky
    /// The same place by GGA alone, which has no date.
    case withoutDate
    case noFix

    /// The NMEA 0183 sentences GGA, GSA and RMC.
    func sentences(at unixTime: Seconds) -> String {
        let (clock, date) = Self.stamp(unixTime)
        let bodies =
            switch self {
            case .fix, .fixWithSky:
                [
                    "GPGGA,\(clock),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
                    "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.8,0.9,1.5",
                    "GPRMC,\(clock),A,4807.038,N,01131.000,E,003.9,090.0,\(date),,,A",
                ] + (self == .fix ? [] : [Self.sky])
            case .withoutDate:
                ["GPGGA,\(clock),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"]
            case .noFix:
                ["GPGGA,\(clock),,,,,0,00,99.9,,,,,,", "GPRMC,\(clock),V,,,,,,,\(date),,,N"]
            }
        return bodies.map { "$\($0)*\(Self.checksum($0))\r\n" }.joined()
    }

    private static let sky = "GPGSV,1,1,03,01,40,083,46,02,17,308,41,12,07,344,39"

    private static func stamp(_ unixTime: Seconds) -> (clock: String, date: String) {
        var seconds = time_t(unixTime)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let hundredths = Int32((unixTime - Seconds(seconds)) * 100)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(pad).joined()
        let date = [parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100].map(pad).joined()
        return ("\(clock).\(pad(hundredths))", date)
    }

    private static func pad(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func checksum(_ body: String) -> String {
        let sum = body.utf8.reduce(UInt8(0), ^)
        return (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
    }
}
