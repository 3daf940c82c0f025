internal import HomingJSON

/// One line of gpsd's, as far as it matters here (gpsd_json(5)); gpsd writes the class first.
enum GPSDMessage: Equatable {
    /// A TPV or SKY report that libgps can read.
    case report
    /// A list of devices: how many of them gpsd has open.
    case receivers(Int)
    /// A device came or went.
    case deviceChanged
    /// Anything else, and what cannot be read.
    case other

    private static let device = Array(#"{"class":"DEVICE""#.utf8)
    private static let devices = Array(#"{"class":"DEVICES""#.utf8)
    private static let reports = [Array(#"{"class":"TPV""#.utf8), Array(#"{"class":"SKY""#.utf8)]
    private static let anyClass = Array(#""class":"#.utf8)

    /// - Parameter line: without its end.
    init(_ line: ArraySlice<UInt8>) {
        if let report = Self.reports.first(where: line.starts(with:)) {
            self = Self.isReadable(line.dropFirst(report.count)) ? .report : .other
        } else if line.starts(with: Self.devices) {
            self = DeviceList.openDevices(line).map { .receivers($0) } ?? .other
        } else {
            self = line.starts(with: Self.device) ? .deviceChanged : .other
        }
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

/// The message DEVICES. libgps reads four devices at most, and with more of them, or with one that
/// has a word it does not know, never returns (3.22).
private struct DeviceList: Decodable {
    struct Device: Decodable {
        /// What gpsd was told to use is listed; what it has open has a time of activation.
        let isOpen: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let time = try? container.decode(String.self, forKey: .activated)
            isOpen = time?.isEmpty == false
        }

        private enum CodingKeys: String, CodingKey { case activated }
    }

    let devices: [Device]

    /// `nil` if the line is no such message.
    static func openDevices(_ line: ArraySlice<UInt8>) -> Int? {
        let list = try? JSON.decode(DeviceList.self, from: line)
        return list?.devices.count(where: \.isOpen)
    }
}
