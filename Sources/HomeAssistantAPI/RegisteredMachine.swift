/// The machine that a registration belongs to, and whether this machine is that machine.
public struct RegisteredMachine: Codable, Equatable, Sendable {
    /// The end of a queue, at one moment.
    public struct QueueEnd: Codable, Equatable, Sendable {
        /// The queue's id: another id is another queue, with numbers of its own.
        public var queue: String
        /// The last number of each stream, by the stream's name.
        public var rows: [String: Int64]

        public init(queue: String, rows: [String: Int64]) {
            self.queue = queue
            self.rows = rows
        }
    }

    /// Owner of the registration that this machine holds.
    public enum Standing: Codable, Equatable, Sendable {
        case own
        /// Another machine's: nothing is sent until a person says which of two machines this is. What was
        /// queued before the end is the other machine's.
        case moved(after: QueueEnd)
        /// This machine's, as soon as the other machine's rows are dropped.
        case clearing(QueueEnd)
        /// A marked image's: this machine registers as a device of its own.
        case copied

        /// The end of another machine's rows in the queue; `nil` where there are none.
        public var endOfOther: QueueEnd? {
            switch self {
            case .moved(let end), .clearing(let end): end
            case .own, .copied: nil
            }
        }
    }

    /// Traits of the machine of the registration.
    public private(set) var traits: MachineTraits
    public private(set) var standing = Standing.own
    /// The device id under which this machine registers, if it becomes another device. It is chosen once:
    /// after a lost reply, another id would be one more device.
    public private(set) var successor: String?

    /// The machine that has just been registered, or that registered with a Homing that did not note
    /// the machine.
    ///
    /// - Parameter end: of the rows of another machine in the queue, which are to be dropped first.
    public init(_ traits: MachineTraits, clearing end: QueueEnd? = nil) {
        self.traits = traits
        if let end { standing = .clearing(end) }
    }

    /// Compares the machine with what it shows at its start, and learns.
    ///
    /// - Parameters:
    ///   - present: what this machine shows.
    ///   - successor: the id of another device.
    ///   - end: of the queue now.
    public mutating func start(
        on present: MachineTraits, successor: @autoclosure () -> String,
        end: @autoclosure () -> QueueEnd
    ) {
        switch (standing, traits.compare(with: present)) {
        case (.own, .another):
            standing = .moved(after: end())
            self.successor = successor()
        case (.moved, .same):
            standing = .own
            self.successor = nil
            traits = traits.learning(present)
        case (.own, .same), (.own, .unknown): traits = traits.learning(present)
        case (.moved, _), (.copied, _), (.clearing, _): break
        }
    }

    /// Makes this machine the registered machine, which is used no more.
    public mutating func keep(on present: MachineTraits) { self = RegisteredMachine(present) }

    /// The other machine's rows are dropped.
    public mutating func cleared() { if case .clearing = standing { standing = .own } }

    /// Makes this machine a copy of a marked image, which registers under this device id.
    public mutating func becomeCopy(as successor: String) {
        standing = .copied
        self.successor = successor
    }
}

extension Registration {
    /// Owner of the registration that this machine holds. Where no machine was noted, this machine.
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
