import Glibc
import HomingRuntime
import HomingTestKit
import Testing

/// A fault that the thread sanitizer must find (scripts/tests/threads); nobody else runs it.
@Suite struct PlantedRaceTests {
    nonisolated(unsafe) private static var count = 0

    @Test(
        "A job on the loop and another thread count without a lock",
        .enabled(if: getenv("HOMING_PLANTED_RACE") != nil))
    func race() async {
        LoopThread.start()
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                for _ in 0..<1000 { PlantedRaceTests.count += 1 }
                return nil
            }, nil)
        await Self.countOnTheLoop()
        pthread_join(thread, nil)
        #expect(Self.count > 0)
    }

    @LoopActor private static func countOnTheLoop() async {
        for _ in 0..<1000 {
            count += 1
            await Task.yield()
        }
    }
}
