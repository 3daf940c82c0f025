public import HomingRuntime

/// Shelf on which relays that share a store keep the ring of their keys, encrypted.
@LoopActor public protocol RingShelf: AnyObject {
    /// The sealed ring; `nil` before the first ring.
    func sealedRing(_ answer: @escaping StoreAnswer<[UInt8]?>)

    /// Puts a sealed ring there, and tells all relays, `keysChanged`.
    ///
    /// - Parameter former: the sealed ring that must lie there, as it was read; `nil` where none may lie
    ///   there.
    /// - Returns: by `answer`, whether the ring lies there now.
    func putRing(
        _ sealed: [UInt8], replacing former: [UInt8]?, _ answer: @escaping StoreAnswer<Bool>)
}
