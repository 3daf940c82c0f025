import HomingBase
import HomingPush
import Testing

/// The mark of a daemon in its registration, and what other marks there mean.
@Suite struct ChannelMarkTests {
    private static func at(_ uptime: Seconds) -> Moment {
        Moment(uptime: uptime, unixTime: 1_800_000_000 + uptime)
    }

    /// A daemon that has put its mark there at this uptime.
    private static func written(_ text: String, at uptime: Seconds) -> ChannelMark {
        var mark = ChannelMark(text: text)
        mark.requestLook(at: at(uptime))
        #expect(mark.step(at: at(uptime)) == .write)
        mark.wrote(true, at: at(uptime))
        return mark
    }

    @Test("A channel that is open for a minute gets the mark, which is looked at once an hour")
    func alone() {
        var mark = ChannelMark(text: "a")
        #expect(mark.step(at: Self.at(5)) == nil && mark.told == nil)
        #expect(mark.step(at: Self.at(64)) == nil)
        #expect(mark.step(at: Self.at(65)) == .write)
        #expect(mark.step(at: Self.at(66)) == nil, "one is under way")
        mark.wrote(true, at: Self.at(67))
        #expect(mark.told == "a" && mark.nextStep == 3667)
        for hour in 1...24 {
            let uptime = 67 + 3600 * Double(hour)
            #expect(mark.step(at: Self.at(uptime)) == .look)
            #expect(mark.saw("a", at: Self.at(uptime)) == false)
        }
    }

    @Test(
        "Two daemons find each other's marks three times within three hours, whenever the second began",
        arguments: [100, 700, 1800, 3500] as [Seconds])
    func two(start: Seconds) {
        var marks = [Self.written("a", at: 0), Self.written("b", at: start)]
        var stands = "b"
        var (found, steps) = ([0, 0], [0, 0])
        var thirdSign = [0.0, 0.0]
        for second in stride(from: start + 10, to: start + 6 * 3600, by: 10) {
            for index in marks.indices {
                switch marks[index].step(at: Self.at(second)) {
                case .write?:
                    stands = marks[index].text
                    marks[index].wrote(true, at: Self.at(second))
                    steps[index] += 1
                case .look?:
                    if marks[index].saw(stands, at: Self.at(second)) { found[index] += 1 }
                    if found[index] == 3, thirdSign[index] == 0 { thirdSign[index] = second }
                    steps[index] += 1
                case nil: break
                }
            }
        }
        #expect(found[0] >= 3 && found[1] >= 3, "\(found)")
        #expect(thirdSign.allSatisfy { $0 - start <= 3 * 3600 }, "\(thirdSign)")
        #expect(steps[0] < 40 && steps[1] < 40, "\(steps)")
    }

    @Test("A mark that a backup brought back is one sign, and the own one takes its place")
    func backup() {
        var mark = Self.written("a", at: 0)
        #expect(mark.step(at: Self.at(3600)) == .look)
        #expect(mark.saw("of last week", at: Self.at(3600)) == true)
        #expect(mark.step(at: Self.at(3601)) == .write)
        mark.wrote(true, at: Self.at(3602))
        #expect(mark.step(at: Self.at(4203)) == .look)
        #expect(mark.saw("a", at: Self.at(4203)) == false)
        #expect(mark.nextStep == 4803)
        #expect(mark.step(at: Self.at(9100)) == .look)
        #expect(mark.saw("a", at: Self.at(9100)) == false)
        #expect(mark.nextStep == 12_700, "an hour apart again")
    }

    @Test("What Home Assistant does not answer is no sign, and is asked again later")
    func noAnswer() {
        var mark = Self.written("a", at: 0)
        #expect(mark.step(at: Self.at(3600)) == .look)
        mark.failed(at: Self.at(3610))
        #expect(mark.step(at: Self.at(3700)) == nil)
        #expect(mark.step(at: Self.at(4510)) == .look)
    }

    @Test("Somebody who asks has it looked at, and no more often than each ten seconds")
    func asked() {
        var mark = Self.written("a", at: 0)
        mark.requestLook(at: Self.at(5))
        #expect(mark.step(at: Self.at(5)) == nil)
        mark.requestLook(at: Self.at(10))
        #expect(mark.step(at: Self.at(10)) == .look)
    }
}
