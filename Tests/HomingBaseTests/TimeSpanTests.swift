import HomingBase
import Testing

@Suite struct TimeSpanTests {
    @Test(
        "A length of time has the two largest units that matter",
        arguments: [
            (-5.0, "0 s"), (0.4, "0 s"), (99, "99 s"), (99.6, "1 min"), (120, "2 min"),
            (5999, "99 min"), (6000, "1 h 40 min"), (172_799, "47 h 59 min"), (172_800, "2 d 0 h"),
            (350_000, "4 d 1 h"), (1e300, "11574074 d 1 h"),
        ])
    func lengths(_ seconds: Double, _ text: String) { #expect(TimeSpan.text(seconds) == text) }

    @Test(
        "What comes within a second comes now",
        arguments: [(0.9, "now"), (-3, "now"), (12, "in 12 s")])
    func next(_ seconds: Double, _ text: String) { #expect(TimeSpan.until(seconds) == text) }
}
