/// Traits by which one machine is told from another. They are fingerprints: a reader sees no number, but can
/// try all numbers. So traits stay on this machine.
public struct MachineTraits: Codable, Equatable, Sendable {
    /// Result of a comparison of two sets of traits.
    public enum Verdict: Equatable, Sendable {
        case same
        case another
        /// The two have no trait of one kind.
        case unknown
    }

    /// Fingerprints that are kept of the hardware.
    static let limit = 16

    /// Fingerprints of the board's number and of the built-in network interfaces.
    public private(set) var hardware: [String]
    /// The fingerprint of the installed system; it counts where the hardware shows nothing.
    public private(set) var system: String?

    public init(hardware: [String] = [], system: String? = nil) {
        self.hardware = Array(hardware.prefix(Self.limit))
        self.system = system
    }

    /// Whether nothing is known.
    public var isEmpty: Bool { hardware.isEmpty && system == nil }

    /// Compares the traits of a disk that may be copied with the traits of the present machine.
    ///
    /// Boards of one maker may share a number. So hardware that differs in one kind is another
    /// machine. Where only one of the two shows hardware, another machine id is another machine.
    /// The same id decides nothing, as a copy has the id too.
    public func compareAsImage(with present: MachineTraits) -> Verdict {
        if hardware.isEmpty != present.hardware.isEmpty {
            return compareSystems(with: present) == .another ? .another : .unknown
        }
        return differsInOneKind(from: present) ? .another : compare(with: present)
    }

    /// Whether the present machine shows other hardware of one kind. What follows each `kind-` is a
    /// fingerprint.
    private func differsInOneKind(from present: MachineTraits) -> Bool {
        func kinds(_ traits: MachineTraits) -> [Substring: Set<String>] {
            Dictionary(grouping: traits.hardware) { $0.prefix { $0 != "-" } }.mapValues { Set($0) }
        }
        let (own, other) = (kinds(self), kinds(present))
        return own.contains { kind, marks in other[kind]?.isDisjoint(with: marks) ?? false }
    }

    /// Compares these traits with the traits of the present machine.
    ///
    /// One common part of the hardware is enough: a card was replaced, or an interface is not there
    /// yet. A disk that moved has no part in common.
    public func compare(with present: MachineTraits) -> Verdict {
        if !hardware.isEmpty, !present.hardware.isEmpty {
            return hardware.contains(where: present.hardware.contains) ? .same : .another
        }
        return compareSystems(with: present)
    }

    private func compareSystems(with present: MachineTraits) -> Verdict {
        guard let system, let other = present.system else { return .unknown }
        return system == other ? .same : .another
    }

    /// These traits with what the same machine shows now.
    public func learning(_ present: MachineTraits) -> MachineTraits {
        let known = hardware.filter { !present.hardware.contains($0) }
        return MachineTraits(
            hardware: present.hardware + known, system: present.system ?? system)
    }

    private enum CodingKeys: String, CodingKey {
        case hardware
        case system
    }
}
