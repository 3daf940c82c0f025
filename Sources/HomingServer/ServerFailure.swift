/// An error at the start of a server.
public struct ServerFailure: Error, Equatable, CustomStringConvertible, Sendable {
    /// The address that cannot be listened on; `nil` if no address is at fault.
    public let address: ListenAddress?
    /// A sentence for people.
    public let description: String

    public init(_ description: String, at address: ListenAddress? = nil) {
        self.address = address
        self.description = description
    }
}
