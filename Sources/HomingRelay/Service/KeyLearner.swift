internal import HomingBase
internal import HomingRelayProtocol
internal import HomingRuntime

/// Takes over the keys that another instance has made: a look at a time, and a further look if the
/// keys changed meanwhile.
@LoopActor final class KeyLearner {
    /// Seconds between two looks: a stranger could say without end that keys have changed.
    private static let pause: Seconds = 0.3

    private let shared: SharedRing
    private let clock: any Clockwork
    private let adopt: @LoopActor (TokenRing) -> Void
    private var isLooking = false
    private var hasMoreToLearn = false
    private var alarm: (any Alarm)?

    /// - Parameter adopt: gets a ring that is new here.
    init(
        _ shared: SharedRing, _ clock: any Clockwork,
        adopt: @escaping @LoopActor (TokenRing) -> Void
    ) {
        self.shared = shared
        self.clock = clock
        self.adopt = adopt
    }

    /// Somebody says that the keys have changed.
    func keysChanged() {
        guard !isLooking else {
            hasMoreToLearn = true
            return
        }
        isLooking = true
        spawn { [self] in
            await look()
            alarm = clock.once(after: Self.pause) { [weak self] in self?.goOn() }
        }
    }

    private func goOn() {
        isLooking = false
        guard hasMoreToLearn else { return }
        hasMoreToLearn = false
        keysChanged()
    }

    private func look() async {
        do throws(StoreFailure) {
            guard try await shared.learn() else { return }
            Log.notice(
                "another relay has made new keys; key \(shared.ring.keys[0].id) signs from now on")
            adopt(shared.ring)
        } catch {
            Log.warning("the keys of the other relays cannot be learned: \(error)")
        }
    }
}
