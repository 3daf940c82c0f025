internal import Glibc
internal import HomingRuntime

/// libFuzzer's own loop (compiler-rt, FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// libFuzzer's archive refers to it by this name, though the driver is given the function.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: data, count: count))
    LoopActor.assumeIsolated {
        HomingFuzz.letCallsGoOn
        if let target = HomingFuzz.target { Cost.check(of: target, on: input) }
    }
    return 0
}

/// Returns suppressions for what is no leak. Swift keeps the address of an object's side table,
/// which weak references need, shifted in the object's header. The leak sanitizer does not see the
/// address there.
@_cdecl("__lsan_default_suppressions")
func leakSuppressions() -> UnsafeRawPointer {
    let rules: StaticString = "leak:formWeakReference"
    return UnsafeRawPointer(rules.utf8Start)
}

/// Runs the target that `HOMING_FUZZ_TARGET` names with libFuzzer's options; without the variable
/// it prints the names. A variable, because libFuzzer calls the program again with its own options.
@main enum HomingFuzz {
    @LoopActor fileprivate static var target: (any FuzzTarget)?

    /// libFuzzer's alarm, by which it looks for inputs that take too long, would break off a system
    /// call, and libgps gives up a connection for that. It is set up before the first input.
    @LoopActor fileprivate static let letCallsGoOn: Void = {
        var action = sigaction()
        sigaction(SIGALRM, nil, &action)
        action.sa_flags |= SA_RESTART
        sigaction(SIGALRM, &action, nil)
    }()

    @LoopActor private static let targets: [any FuzzTarget.Type] = [
        AnswerTarget.self, BusTarget.self, CommandLineTarget.self, ConfigurationTarget.self,
        ControlReplyTarget.self, ControlRequestTarget.self, EngineReplyTarget.self,
        EnvelopeTarget.self, GPSDTarget.self, GroupJournalTarget.self, GroupLogTarget.self,
        JSONTarget.self,
        OutboxFileTarget.self, OutboxRowTarget.self, ParcelTarget.self,
        PushRequestTarget.self, PushTarget.self, PushTokenTarget.self, RegistrationFileTarget.self,
        RegistrationReplyTarget.self, RelayFrameTarget.self, ReplyTarget.self,
        RetryAfterTarget.self, ScriptTarget.self, URLTarget.self, WebSocketTarget.self,
    ]

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        Loop.own()
        let name = getenv("HOMING_FUZZ_TARGET").map { String(cString: $0) }
        let longest = LoopActor.assumeIsolated { start(name) }
        var arguments = CommandLine.arguments + ["-max_len=\(longest)"]
        // libFuzzer keeps pointers into them.
        let copies = arguments.map { strdup($0) } + [nil]
        arguments = []
        var count = Int32(copies.count - 1)
        let vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
            capacity: copies.count)
        vector.initialize(from: copies, count: copies.count)
        var list = vector
        exit(runDriver(&count, &list, fuzzOneInput))
    }

    /// Makes the target and tells how long its inputs may be; ends the program if there is none.
    @LoopActor private static func start(_ name: String?) -> Int {
        guard let type = (targets + PlantedTarget.all).first(where: { $0.name == name }) else {
            print(targets.map { $0.name }.joined(separator: "\n"))
            exit(name == nil ? 0 : 64)
        }
        do { target = try type.init() } catch { fatalError("\(type.name): \(error)") }
        return type.longest
    }
}
