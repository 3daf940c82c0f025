internal import HomingBase

extension Kind where Value == String? {
    /// A device as gpsd names it: a path, or an address such as `udp://`; or nothing.
    static let gpsdDevice = Kind(
        "a device as gpsd names it, such as /dev/ttyACM0, or nothing",
        read: { (raw) throws(Refusal) in
            let device = try raw.text()
            guard !device.isEmpty else { return nil }
            // libgps keeps no more of it (GPS_PATH_MAX).
            guard device.utf8.count <= 127, device.utf8.allSatisfy({ (33...126).contains($0) })
            else {
                throw Refusal(
                    "\(shortened(device)) is no device; it has up to 127 letters, no space")
            }
            guard device.hasPrefix("/") || device.contains("://") else {
                throw Refusal(
                    "\(quoted(device)) is no device; it begins with \"/\", or is an address")
            }
            return device
        }, write: { $0 ?? "" })
}
