internal import Glibc
public import HomingServer

extension ServerFailure {
    /// Advice for people about an address that cannot be listened on; `nil` where nothing is known.
    public var advice: String? {
        guard address?.port != nil, let number else { return nil }
        return switch number {
        case EADDRINUSE:
            "ss -ltnp shows which program has the port. Another port goes into address and into"
                + " public_url, both under [listen]"
        case EADDRNOTAVAIL:
            "ip address shows which addresses this machine has; 0.0.0.0 stands for all of them"
        case EACCES:
            "choose a port from \(FreePorts.first) on: the service has no right to a lower one"
        default: nil
        }
    }
}
