import HomingBase
import HomingTestKit
import Testing

@testable import HomingRelay

@Suite("How fast posts for a device may come")
struct BurstTests {
    @Test("lets a burst through at once, then the steady rate, and the whole burst after a rest")
    func rate() {
        var limit = BurstLimit<Int>(burst: 30, rate: 10)
        let first = (0..<100).count { _ in limit.admits(1, at: 5) }
        #expect(first == 30)
        // As often as it may, for a minute.
        let steady = (0..<6000).count { limit.admits(1, at: 5 + Double($0) / 100) }
        #expect((598...601).contains(steady))
        let other = limit.admits(2, at: 65)
        #expect(other)
        let rested = (0..<100).count { _ in limit.admits(1, at: 70) }
        #expect(rested == 30)
    }

    @Test("never lets more through than burst and rate allow, whenever posts come")
    func bound() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            var limit = BurstLimit<Int>(burst: 20, rate: 10)
            var (now, times): (Seconds, [Seconds]) = (0, [])
            for _ in 0..<400 {
                now += Double.random(in: 0...0.2, using: &random)
                if limit.admits(1, at: now) { times.append(now) }
            }
            let isRight = times.indices.allSatisfy { start in
                times.indices[start...].allSatisfy { end in
                    Double(end - start + 1) <= 20 + (times[end] - times[start]) * 10 + 1e-6
                }
            }
            #expect(isRight)
        }
    }

    @Test("has no limit where the burst is 0")
    func none() {
        var limit = BurstLimit<Int>(burst: 0, rate: 10)
        let all = (0..<1000).count { _ in limit.admits(1, at: 5) }
        #expect(all == 1000 && limit.size == 0)
    }

    @Test("remembers a bounded number of devices, and refuses nobody for that")
    func memory() {
        var limit = BurstLimit<Int>(burst: 5, rate: 10, capacity: 100)
        let admitted = (0..<10_000).count { limit.admits($0, at: Double($0) / 1000) }
        #expect(admitted == 10_000 && limit.size <= 200)
        _ = limit.admits(-1, at: 100)
        #expect(limit.size == 1)
    }
}

@Suite("Whether devices come from one address")
struct SightingsTests {
    private typealias Devices = Sightings<Int, String>

    @Test("is noticed once there are more devices than a house has")
    func oneAddress() {
        var devices = Devices()
        for device in 0..<19 { devices.note(device, at: "proxy") }
        #expect(!devices.haveOneAddress)
        // A device that comes again is the same device.
        for _ in 0..<50 { devices.note(3, at: "proxy") }
        #expect(!devices.haveOneAddress)
        devices.note(19, at: "proxy")
        #expect(devices.haveOneAddress)
    }

    @Test("is not so where the devices have addresses of their own")
    func manyAddresses() {
        var devices = Devices()
        for device in 0..<200 { devices.note(device, at: "\(device % 10)") }
        #expect(!devices.haveOneAddress)
        for device in 0..<62 { devices.note(device, at: "proxy") }
        #expect(devices.haveOneAddress, "a few that come past the proxy do not matter")
    }
}
