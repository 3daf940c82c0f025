/// Value that a C callback lends to the loop, on whose thread the callback runs already.
/// `LoopActor.assumeIsolated` traps elsewhere, so that nothing is shared between threads.
///
/// A local `nonisolated(unsafe) let` would say the same, and does from Swift 6.1 on; Debian 13's 6.0
/// does not look at it in a closure.
public struct Lent<Value>: @unchecked Sendable {
    /// Value that is lent, for as long as the callback runs.
    public let value: Value

    /// Lends it.
    public init(_ value: Value) { self.value = value }
}
