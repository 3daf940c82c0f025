import HomingRelay
import HomingServer
import HomingSocket

extension LineError {
    /// A server that does not start; the reason may pass.
    init(_ failure: ServerFailure) { self.init(.failure, "\(failure)", hint: failure.advice) }
}
