internal import Glibc
public import HomingCore

extension SeededRandom {
    /// The seed of this run: `HOMING_SEED`, or another each time.
    public static func seed() -> UInt64 {
        getenv("HOMING_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 1...999_999)
    }
}
