internal import Glibc
internal import HomingRuntime

/// Something that reads bytes from outside, and what must be true of whatever it makes of them.
///
/// One object takes all inputs of a run, so what it keeps from one to the next must not change what
/// the next one finds.
@LoopActor protocol FuzzTarget: AnyObject {
    /// The word behind `TARGET=`, and the name of its corpus, regressions and dictionary.
    static var name: String { get }
    /// Bytes of the longest input worth trying.
    static var longest: Int { get }
    /// Seconds of processor time that any input may take, under the sanitizers.
    static var fixedCost: Double { get }
    /// Seconds of processor time that a byte may add, under the sanitizers: about ten times what
    /// 50 ms for 64 kB leaves the programs that ship.
    static var costPerByte: Double { get }

    init() throws

    /// Takes one input. Whatever this throws counts as a breach, as `require` does.
    func run(_ input: [UInt8]) throws
}

extension FuzzTarget {
    static var longest: Int { 4096 }
    static var fixedCost: Double { 0.1 }
    static var costPerByte: Double { 10e-6 }
}

/// Ends the process as a crash does, so that libFuzzer keeps the input, unless the condition holds.
func require(
    _ condition: Bool, _ breach: @autoclosure () -> String, line: UInt = #line,
    file: StaticString = #fileID
) {
    if !condition { fatalError("breach: \(breach())", file: file, line: line) }
}

/// A fault in a target's own rig, which that target must find: `HOMING_FUZZ_FAULT=1`. It shows that
/// the target can fail (scripts/tests/fuzz).
let faultIsPlanted = getenv("HOMING_FUZZ_FAULT") != nil
