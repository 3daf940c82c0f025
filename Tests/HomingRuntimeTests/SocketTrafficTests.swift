import Glibc
import HomingBase
import HomingRuntime
import Testing

@Suite("What a connection has cost")
struct SocketTrafficTests {
    /// Two ends of a TCP connection on this machine.
    private func connection() throws -> (Int32, Int32) {
        let stream = Int32(SOCK_STREAM.rawValue)
        let listener = socket(AF_INET, stream, 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let client = socket(AF_INET, stream, 0)
        let failures = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                [
                    bind(listener, $0, length), listen(listener, 1),
                    getsockname(listener, $0, &length), connect(client, $0, length),
                ]
            }
        }
        try #require(failures == [0, 0, 0, 0])
        return (client, accept(listener, nil, nil))
    }

    @Test("Bytes of both directions count, with the heads of each segment")
    func counted() throws {
        let (one, other) = try connection()
        defer {
            close(one)
            close(other)
        }
        let before = try #require(SocketTraffic.bytes(of: one))
        // The handshake: three segments of 52 bytes' heads.
        #expect((52...52 * 4).contains(before), "\(before) bytes")
        var bytes = [UInt8](repeating: 1, count: 1000)
        #expect(write(one, &bytes, 1000) == 1000)
        #expect(read(other, &bytes, 1000) == 1000)
        #expect(write(other, &bytes, 500) == 500)
        #expect(read(one, &bytes, 500) == 500)
        let after = try #require(SocketTraffic.bytes(of: one))
        #expect((1500 + 2 * 52...1500 + 6 * 52).contains(after - before), "\(after - before) bytes")
    }

    @Test("What is no TCP connection has no figure")
    func others() {
        #expect(SocketTraffic.bytes(of: -1) == nil)
        #expect(SocketTraffic.bytes(of: 0) == nil)
    }
}

@Suite("The calendar of this machine's zone")
struct LocalTimeTests {
    @Test("A moment is read in the zone of the machine, whatever it is")
    func read() {
        var (seconds, parts) = (time_t(1_800_014_400), tm())
        localtime_r(&seconds, &parts)
        let time = CalendarTime(local: 1_800_014_400)
        #expect(time.year == 2027 && time.month == 1 && (14...16).contains(time.day))
        #expect(time.secondOfDay == Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60)
        for wrong in [-1, .nan, .infinity, 1e300] {
            #expect(CalendarTime(local: wrong).year >= 1969)
        }
    }

    @Test("Months have their days", arguments: [(2024, 29), (2023, 28), (2000, 29), (1900, 28)])
    func months(_ year: Int, _ february: Int) {
        let days = (1...12).map {
            CalendarTime(year: year, month: $0, day: 1, secondOfDay: 0).daysInMonth
        }
        #expect(days == [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
    }
}
