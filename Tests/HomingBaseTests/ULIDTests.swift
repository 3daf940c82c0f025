import HomingBase
import Testing

@Suite struct ULIDTests {
    @Test("The layout is that of the specification's own example time")
    func layout() {
        // 1469918176385 ms is 01ARYZ6S41 (github.com/ulid/spec).
        let ulid = ULID(time: 1_469_918_176.385, random: (0, 0))
        #expect(ulid.description == "01ARYZ6S410000000000000000")
    }

    @Test("All bits of chance are in it")
    func chance() {
        let full = ULID(time: 0, random: (.max, .max))
        #expect(full.description == "0000000000ZZZZZZZZZZZZZZZZ")
        // Each bit changes just one digit of 26.
        let none = Array(ULID(time: 0, random: (0, 0)).description)
        for bit in 0..<80 {
            let random: (UInt16, UInt64) =
                bit < 64 ? (0, 1 << UInt64(bit)) : (1 << UInt16(bit - 64), 0)
            let digits = Array(ULID(time: 0, random: random).description)
            #expect(digits.count == 26)
            #expect(zip(none, digits).count { $0 != $1 } == 1, "bit \(bit)")
            #expect(digits[25 - bit / 5] == Array("1248G")[bit % 5])
        }
    }

    @Test("Later ones sort after earlier ones, whatever the chance in them")
    func order() {
        let early = ULID(time: 1_795_237_117.9, random: (.max, .max)).description
        let late = ULID(time: 1_795_237_117.901, random: (0, 0)).description
        #expect(early < late)
    }

    @Test("A clock that is far off breaks nothing")
    func clocks() {
        for time in [-1, -.infinity, .infinity, .nan, 1e300] {
            #expect(ULID(time: time, random: (0, 0)).description.count == 26)
        }
    }
}
