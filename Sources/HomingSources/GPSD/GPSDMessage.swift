internal import HomingBase
internal import HomingJSON
internal import HomingRuntime

/// Line of gpsd's, as far as the line matters here (gpsd_json(5)); gpsd writes the class first. The
/// line is looked at in the buffer in which it came.
enum GPSDMessage: Equatable {
    /// A TPV report that libgps can read.
    case position
    /// A SKY report that libgps can read, and whether it may have an HDOP.
    case sky(hasHDOP: Bool)
    /// A list of devices: the names of those that gpsd has open.
    case receivers([String])
    /// A device came or went.
    case deviceChanged
    /// A sentence of the receiver's that tells the time of day: seconds since midnight, UTC.
    case timeOfDay(Seconds)
    /// Anything else, and what cannot be read.
    case other

    /// - Parameter line: without its end.
    init(_ line: UnsafeBufferPointer<UInt8>) {
        if line.first == UInt8(ascii: "$") {
            self = NMEATime.read(Array(line)[...]).map { .timeOfDay($0) } ?? .other
        } else if let rest = line.after(#"{"class":"TPV""#) {
            self = Self.isReadable(rest) ? .position : .other
        } else if let rest = line.after(#"{"class":"SKY""#) {
            self = Self.isReadable(rest) ? .sky(hasHDOP: rest.contains(#""hdop":"#)) : .other
        } else if line.after(#"{"class":"DEVICES""#) != nil {
            self = Self.openDevices(line).map { .receivers($0) } ?? .other
        } else {
            self = line.after(#"{"class":"DEVICE""#) != nil ? .deviceChanged : .other
        }
    }

    /// The devices of a message DEVICES that gpsd has open, each with its path and its driver; `nil` if
    /// it is no such message. What gpsd was told to use is listed; what it has open has a time of
    /// activation.
    ///
    /// libgps reads four devices at most, and with more of them, or with one that has a word it does
    /// not know, never returns (3.22).
    private static func openDevices(_ line: UnsafeBufferPointer<UInt8>) -> [String]? {
        guard case .array(let devices)? = JSONValue(json: line)?["devices"] else { return nil }
        return devices.filter { $0["activated"]?.string?.isEmpty == false }.map { device in
            let driver = device["driver"]?.string.map { " (\($0))" } ?? ""
            return (device["path"]?.string.map(withoutLogin) ?? "a receiver") + driver
        }
    }

    /// The path without the user and the password that a source on the network may have in its address.
    private static func withoutLogin(_ path: String) -> String {
        guard let scheme = path.firstPlace(of: "://"), let login = path.lastIndex(of: "@"),
            login >= scheme.upperBound
        else { return path }
        return String(path[..<scheme.upperBound] + path[path.index(after: login)...])
    }

    /// libgps (up to 3.27) looks for another message where it cannot read on, and does so forever
    /// where it finds the word `class` there; and it stops at a zero byte.
    private static func isReadable(_ rest: UnsafeBufferPointer<UInt8>) -> Bool {
        !rest.contains("\0") && !rest.contains(#""class":"#)
    }
}
