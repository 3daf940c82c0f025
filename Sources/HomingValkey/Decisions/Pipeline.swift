/// The order of a connection's commands and answers: answers come in the order of the commands.
///
/// A lasting command is answered after a proof command (`WAITAOF`, `WAIT`) has confirmed that disk
/// and replicas have the result. One proof serves all commands of a turn.
public struct Pipeline: Sendable {
    /// The confirmation of an engine that a write lasts.
    public enum Proof: Equatable, Sendable {
        /// The answer itself: the engine writes to its disk before it answers.
        case answer
        /// `WAITAOF 1 replicas`: its disk, and the disks of so many replicas.
        case disk(replicas: Int)
        /// `WAIT replicas`: so many replicas have it; its own disk has it before it answers.
        case replicas(Int)

        /// The command; `nil` if no proof is needed.
        public func command(milliseconds: Int) -> Command? {
            switch self {
            case .answer: nil
            case .disk(let replicas): Command("WAITAOF", "1", "\(replicas)", "\(milliseconds)")
            case .replicas(let count): Command("WAIT", "\(count)", "\(milliseconds)")
            }
        }

        /// The reason for which an answer to the proof command proves nothing; `nil` if it proves.
        func defect(_ reply: Reply) -> String? {
            switch (self, reply) {
            case (_, .error(let words)): return words
            case (.replicas(let wanted), .number(let count)):
                return count >= wanted ? nil : "\(count) of \(wanted) replicas have it"
            case (.disk(let wanted), .array(let counts)):
                let (own, others) = (counts.first?.number ?? 0, counts.last?.number ?? 0)
                guard own >= 1 else { return "its disk does not have it yet" }
                return counts.count == 2 && others >= wanted
                    ? nil : "\(others) of \(wanted) replicas have it on the disk"
            default: return "the answer to \(self) is not understood"
            }
        }
    }

    /// An answer that may be given.
    public enum Outcome: Equatable, Sendable {
        case reply(Reply)
        /// The command was executed, and no proof came; the reason.
        case unproven(String)
    }

    private enum Place: Sendable {
        case command(Int, isLasting: Bool)
        case proof
    }

    private let proof: Proof
    private var places: [Place] = []
    /// Places before it are answered.
    private var first = 0
    /// Lasting commands that were executed and have no proof yet.
    private var done: [(number: Int, reply: Reply)] = []
    private var hasUnproven = false

    public init(proof: Proof) { self.proof = proof }

    /// A command of that number is sent.
    public mutating func add(_ number: Int, isLasting: Bool) {
        let waits = isLasting && proof != .answer
        places.append(.command(number, isLasting: waits))
        if waits { hasUnproven = true }
    }

    /// Whether a proof command must be sent now; if so, notes that it is sent.
    public mutating func needsProof() -> Bool {
        guard hasUnproven else { return false }
        hasUnproven = false
        places.append(.proof)
        return true
    }

    /// Takes an answer; `nil` if no command waits for one.
    public mutating func matchReply(_ reply: Reply) -> [(number: Int, outcome: Outcome)]? {
        guard first < places.count else { return nil }
        let place = places[first]
        first += 1
        if first > 64, first > places.count / 2 {
            places.removeFirst(first)
            first = 0
        }
        switch place {
        case .command(let number, let isLasting):
            if isLasting, !reply.isError {
                done.append((number, reply))
                return []
            }
            return [(number, .reply(reply))]
        case .proof:
            let defect = proof.defect(reply)
            defer { done = [] }
            return done.map { ($0.number, defect.map { .unproven($0) } ?? .reply($0.reply)) }
        }
    }
}

extension Reply {
    var isError: Bool { if case .error = self { true } else { false } }
}
