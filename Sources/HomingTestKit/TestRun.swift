internal import Glibc

/// What the environment says of this run of the tests.
public enum TestRun {
    /// The number in the environment variable, or `fallback`.
    public static func number(_ name: String, _ fallback: Int) -> Int {
        getenv(name).flatMap { Int(String(cString: $0)) } ?? fallback
    }

    /// `HOMING_SEED`, or another each time. Print it, so that the run can be repeated.
    public static func seed() -> UInt64 {
        getenv("HOMING_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 0...(.max))
    }
}
