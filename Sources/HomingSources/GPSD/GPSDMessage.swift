internal import HomingBase
internal import HomingJSON

/// One line of gpsd's, as far as it matters here (gpsd_json(5)); gpsd writes the class first.
enum GPSDMessage: Equatable {
    /// A TPV or SKY report that libgps can read.
    case report
    /// A list of devices: how many of them gpsd has open.
    case receivers(Int)
    /// A device came or went.
    case deviceChanged
    /// A sentence of the receiver's that tells the time of day: seconds since midnight, UTC.
    case timeOfDay(Seconds)
    /// Anything else, and what cannot be read.
    case other

    private static let device = Array(#"{"class":"DEVICE""#.utf8)
    private static let devices = Array(#"{"class":"DEVICES""#.utf8)
    private static let reports = [Array(#"{"class":"TPV""#.utf8), Array(#"{"class":"SKY""#.utf8)]
    private static let anyClass = Array(#""class":"#.utf8)

    /// - Parameter line: without its end.
    init(_ line: ArraySlice<UInt8>) {
        if let time = NMEATime.read(line) {
            self = .timeOfDay(time)
        } else if let report = Self.reports.first(where: line.starts(with:)) {
            self = Self.isReadable(line.dropFirst(report.count)) ? .report : .other
        } else if line.starts(with: Self.devices) {
            self = Self.openDevices(line).map { .receivers($0) } ?? .other
        } else {
            self = line.starts(with: Self.device) ? .deviceChanged : .other
        }
    }

    /// How many devices of a message DEVICES gpsd has open; `nil` if it is no such message. What gpsd
    /// was told to use is listed; what it has open has a time of activation.
    ///
    /// libgps reads four devices at most, and with more of them, or with one that has a word it does
    /// not know, never returns (3.22).
    private static func openDevices(_ line: ArraySlice<UInt8>) -> Int? {
        guard case .array(let devices)? = JSONValue(json: line)?["devices"] else { return nil }
        return devices.count { $0["activated"]?.string?.isEmpty == false }
    }

    /// libgps (up to 3.27) looks for another message where it cannot read on, and does so for ever
    /// where it finds the word `class` there; and it stops at a zero byte.
    private static func isReadable(_ rest: ArraySlice<UInt8>) -> Bool {
        for (index, byte) in zip(rest.indices, rest) {
            if byte == 0 { return false }
            if byte == anyClass[0], rest[index...].starts(with: anyClass) { return false }
        }
        return true
    }
}
