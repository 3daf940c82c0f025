import Glibc
import HomingRuntime
import HomingTestKit
import Synchronization
import Testing

/// A fault that the thread sanitizer must find (scripts/tests/threads); nobody else runs it.
@Suite struct PlantedRaceTests {
    /// Plain memory, as C has it: what Swift itself watches is told in another way.
    nonisolated(unsafe) private static let count = {
        let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.initialize(to: 0)
        return count
    }()

    /// Ends the thread's count, so that both count at one time: the sanitizer tells no race with a thread
    /// whose stack it has forgotten.
    private static let isOver = Atomic(false)

    @Test(
        "A job on the loop and another thread count without a lock",
        .enabled(if: getenv("HOMING_PLANTED_RACE") != nil))
    func race() async {
        LoopThread.start()
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                while !PlantedRaceTests.isOver.load(ordering: .relaxed) {
                    PlantedRaceTests.count.pointee += 1
                    usleep(100)
                }
                return nil
            }, nil)
        await Self.countOnTheLoop()
        Self.isOver.store(true, ordering: .relaxed)
        pthread_join(thread, nil)
        #expect(Self.count.pointee > 0)
    }

    @LoopActor private static func countOnTheLoop() async {
        for _ in 0..<1000 {
            count.pointee += 1
            await Task.yield()
        }
    }
}
