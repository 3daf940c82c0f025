internal import Glibc
public import HomingServer

extension ServerFailure {
    /// What to do about an address that cannot be listened on, for people; `nil` where nothing is known.
    public var advice: String? {
        guard address?.port != nil else { return nil }
        return Self.remedies.first { description.hasSuffix(String(cString: strerror($0.number))) }
            .map(\.remedy)
    }

    private static let remedies: [(number: Int32, remedy: String)] = [
        (
            EADDRINUSE,
            "ss -ltnp shows which program has the port. Another port goes into address and into"
                + " public_url, both under [listen]"
        ),
        (
            EADDRNOTAVAIL,
            "ip address shows which addresses this machine has; 0.0.0.0 stands for all of them"
        ),
        (EACCES, "choose a port from 1024 on: the service has no right to a lower one"),
    ]
}
