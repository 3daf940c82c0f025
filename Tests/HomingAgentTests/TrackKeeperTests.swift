import HomingBase
import HomingConfiguration
import HomingLocation
import HomingRuntime
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingAgent

/// Times at which the track log reaches the disk.
@Suite(.serialized) struct TrackKeeperTests {
    init() { LoopThread.start() }

    @Test(
        "Points are written together, the more seldom the more the queue spares the disk",
        arguments: [
            (Configuration.Outbox.Durability.powerLoss, 60.0), (.grouped, 300), (.crash, 600),
        ])
    @LoopActor func interval(durability: Configuration.Outbox.Durability, seconds: Seconds)
        throws
    {
        let folder = try TemporaryFolder()
        let clock = VirtualClock()
        let keeper = TrackKeeper(directory: folder.path, durability: durability, clock: clock)
        func written() throws -> Int64? {
            let database = try Database("\(folder.path)/track.db")
            defer { database.close() }
            return try database.integer("SELECT count(*) FROM point")
        }
        for number in 0..<10 {
            let coordinate = try #require(Coordinate(latitude: 52, longitude: Double(number)))
            keeper.keep(Fix(coordinate: coordinate, accuracy: 5, time: Seconds(number)))
            clock.pass(1)
        }
        clock.pass(seconds - 11)
        #expect(try written() == 0)
        clock.pass(1)
        #expect(try written() == 10)
        keeper.close()
    }
}
