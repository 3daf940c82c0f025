internal import Glibc
public import HomingBase

extension IPAddress {
    /// Reads `192.0.2.1`, `2001:db8::1` or `fe80::1%eth0`; neither a name nor a port.
    public init?(_ text: String) {
        guard !text.utf8.contains(0), let address = text.split(separator: "%").first else {
            return nil
        }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, String(address), &four) == 1 {
            self.init(bytes: withUnsafeBytes(of: four) { Array($0) })
        } else if inet_pton(AF_INET6, String(address), &six) == 1 {
            self.init(bytes: withUnsafeBytes(of: six) { Array($0) })
        } else {
            return nil
        }
    }
}
