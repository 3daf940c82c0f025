internal import HomingRuntime
internal import HomingValkey

/// Runs scripts in the engine, and reads their answers.
@LoopActor final class ScriptRunner {
    private let engine: Engine
    private let playedTime: (@LoopActor () -> Int64)?
    /// Scripts that were run since the start.
    private(set) var operations = 0

    /// - Parameter playedTime: the clock, where it is not the engine's.
    init(_ engine: Engine, _ playedTime: (@LoopActor () -> Int64)?) {
        self.engine = engine
        self.playedTime = playedTime
    }

    /// Runs a script; `read` is given its answer.
    ///
    /// - Parameters:
    ///   - keys: all in the slot of the first.
    ///   - date: the time by which the script goes, where that is not the present: milliseconds since 1970.
    func run<Value: Sendable>(
        _ script: Script, _ keys: [[UInt8]], _ arguments: [[UInt8]], at date: Int64? = nil,
        isLasting: Bool = false,
        _ answer: @escaping StoreAnswer<Value>,
        _ read: @escaping @LoopActor (Reply) -> Result<Value, StoreFailure>?
    ) {
        operations += 1
        let time = (date ?? playedTime?()).map { [UInt8](text: $0) } ?? []
        let command = script.call(keys: keys, [time] + arguments, isLasting: isLasting)
        sendCommand(command, keys[0], answer, read)
    }

    /// Sends a command.
    func sendCommand<Value: Sendable>(
        _ command: Command, _ key: [UInt8], _ answer: @escaping StoreAnswer<Value>,
        _ read: @escaping @LoopActor (Reply) -> Result<Value, StoreFailure>?
    ) {
        engine.send(command, key: key) { result in
            switch result {
            case .failure(let failure): answer(.failure(StoreFailure(failure)))
            case .success(.error(let words)): answer(.failure(StoreFailure(engineError: words)))
            case .success(let reply): answer(read(reply) ?? .failure(.unreadable))
            }
        }
    }
}

/// Answers of several questions, in their order.
@LoopActor final class Gathering<Value: Sendable> {
    private var values: [Value?]
    private var missing: Int
    private var failure: StoreFailure?
    private let answer: StoreAnswer<[Value]>

    /// - Parameter size: how many answers come; at least one.
    init(size: Int, _ answer: @escaping StoreAnswer<[Value]>) {
        values = Array(repeating: nil, count: size)
        missing = size
        self.answer = answer
    }

    /// Takes the answer to a question; the last answer ends the wait.
    func gatherAnswer(_ result: Result<Value, StoreFailure>, at place: Int) {
        missing -= 1
        switch result {
        case .success(let value): values[place] = value
        case .failure(let failure): self.failure = self.failure ?? failure
        }
        guard missing == 0 else { return }
        answer(failure.map { .failure($0) } ?? .success(values.compactMap { $0 }))
    }
}
