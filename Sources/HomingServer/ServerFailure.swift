/// An error at the start of a server.
public struct ServerFailure: Error, Equatable, CustomStringConvertible, Sendable {
    /// The address that cannot be listened on; `nil` if no address is at fault.
    public let address: ListenAddress?
    /// The number of the system's error (`errno`); `nil` if the system is not at fault.
    public let number: Int32?
    /// A sentence for people.
    public let description: String

    public init(_ description: String, at address: ListenAddress? = nil, number: Int32? = nil) {
        self.address = address
        self.number = number
        self.description = description
    }
}
