internal import Glibc

/// Settings of this run of the tests, from the environment.
public enum TestRun {
    /// The number in the environment variable, or `fallback`.
    public static func number(_ name: String, _ fallback: Int) -> Int {
        getenv(name).flatMap { Int(String(cString: $0)) } ?? fallback
    }

    /// Whether the long figures of the fault list are wanted: `HOMING_LONG=1`.
    public static var isLong: Bool { number("HOMING_LONG", 0) == 1 }

    /// `HOMING_SEED`, or another each time. Print it, so that the run can be repeated.
    public static func seed() -> UInt64 {
        getenv("HOMING_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 0...(.max))
    }
}
