internal import HomingRuntime

/// Reason why the daemon cannot start, in a sentence for people.
public struct StartFailure: Error, CustomStringConvertible, Sendable {
    public let description: String
    /// Whether only a person can correct it, so that starting again is useless.
    public let isForPeople: Bool

    init(_ description: String, isForPeople: Bool = false) {
        self.description = Warnings.owner.typed(description)
        self.isForPeople = isForPeople
    }

    init(_ error: SystemError) { self.init("\(error)", isForPeople: !error.mayPass) }
}
