internal import Glibc
internal import HomingRuntime
internal import HomingServer

/// The ports that every program may listen on; others need a right that the service does not have.
enum FreePorts {
    private static let setting = "/proc/sys/net/ipv4/ip_unprivileged_port_start"
    /// The system's default.
    private static let usualFirst = 1024

    /// The first of them.
    static var first: Int {
        do throws(SystemError) {
            let text = String(decoding: try AtomicFile.read(setting, limit: 64), as: UTF8.self)
            return Int(text.prefix { $0.isNumber }) ?? usualFirst
        } catch {
            // The service sees no settings of the system.
            return usualFirst
        }
    }

    /// The failure of a server without that right that listens on these addresses; `nil` if each
    /// port is free.
    ///
    /// - Parameter first: the first free port.
    static func refusal(
        of addresses: [ListenAddress], first: Int = FreePorts.first
    ) -> ServerFailure? {
        let closed = addresses.first { address in
            // The system chooses port 0.
            address.port.map { $0 != 0 && Int($0) < first } ?? false
        }
        return closed.map { address in
            let error = SystemError("cannot listen on \(address)", number: EACCES)
            return ServerFailure("\(error)", at: address, number: error.number)
        }
    }
}
