/// The machine that a registration belongs to, and whether this machine is that machine.
public struct RegisteredMachine: Codable, Equatable, Sendable {
    /// Whose registration this machine holds.
    public enum Standing: Equatable, Sendable {
        case own
        /// Another machine's, since this time (seconds since 1970): nothing is sent until a person says
        /// which of two machines this is.
        case moved(since: Double)
        /// A marked image's: this machine registers as a device of its own.
        case copied
    }

    /// What the machine of the registration is known by.
    public private(set) var traits: MachineTraits
    private var movedAt: Double?
    private var isCopy: Bool?

    /// The machine that has just been registered, or that registered with a Homing that did not note
    /// the machine.
    public init(_ traits: MachineTraits) { self.traits = traits }

    public var standing: Standing {
        if isCopy == true { return .copied }
        return movedAt.map { .moved(since: $0) } ?? .own
    }

    /// This machine starts.
    ///
    /// - Parameters:
    ///   - present: what this machine shows.
    ///   - time: seconds since 1970.
    public mutating func start(on present: MachineTraits, at time: Double) {
        guard isCopy != true else { return }
        switch traits.compare(with: present) {
        case .another: movedAt = movedAt ?? time
        case .same:
            movedAt = nil
            traits = traits.learning(present)
        case .unknown: if movedAt == nil { traits = traits.learning(present) }
        }
    }

    /// A person says that this machine took the place of the machine that was registered.
    public mutating func keep(on present: MachineTraits) { self = RegisteredMachine(present) }

    /// This machine is a copy of a marked image.
    public mutating func becomeCopy() { isCopy = true }

    private enum CodingKeys: String, CodingKey {
        case traits
        case movedAt = "moved_at"
        case isCopy = "is_copy"
    }
}

extension Registration {
    /// Whose registration this machine holds. Where the machine was not noted, its own.
    public var standing: RegisteredMachine.Standing { machine?.standing ?? .own }
}
