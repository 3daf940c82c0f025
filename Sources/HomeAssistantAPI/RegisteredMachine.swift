/// The machine that a registration belongs to, and whether this machine is that machine.
public struct RegisteredMachine: Codable, Equatable, Sendable {
    /// Whose registration this machine holds.
    public enum Standing: Codable, Equatable, Sendable {
        case own
        /// Another machine's: nothing is sent until a person says which of two machines this is. `rows`:
        /// the last number of each stream that the other machine put into the queue.
        case moved(rows: [String: Int64])
        /// A marked image's: this machine registers as a device of its own.
        case copied
    }

    /// Traits of the machine of the registration.
    public private(set) var traits: MachineTraits
    public private(set) var standing = Standing.own

    /// The machine that has just been registered, or that registered with a Homing that did not note
    /// the machine.
    public init(_ traits: MachineTraits) { self.traits = traits }

    /// Compares the machine with what it shows at its start, and learns.
    ///
    /// - Parameters:
    ///   - present: what this machine shows.
    ///   - rows: the last number of each stream in the queue now.
    public mutating func start(on present: MachineTraits, rows: () -> [String: Int64] = { [:] }) {
        guard standing != .copied else { return }
        switch traits.compare(with: present) {
        case .another: if standing == .own { standing = .moved(rows: rows()) }
        case .same:
            standing = .own
            traits = traits.learning(present)
        case .unknown: if standing == .own { traits = traits.learning(present) }
        }
    }

    /// Makes this machine the registered machine, which is used no more.
    public mutating func keep(on present: MachineTraits) { self = RegisteredMachine(present) }

    /// Makes this machine a copy of a marked image.
    public mutating func becomeCopy() { standing = .copied }
}

extension Registration {
    /// Whose registration this machine holds. Where the machine was not noted, its own.
    public var standing: RegisteredMachine.Standing { machine?.standing ?? .own }

    /// Whether this machine may send by the registration.
    public var isOwn: Bool { standing == .own }

    /// Notes that this machine took the place of the registered machine.
    public mutating func keep(on machine: MachineTraits) {
        var kept = self.machine ?? RegisteredMachine(machine)
        kept.keep(on: machine)
        self.machine = kept
    }
}
