import HomingBase
import Testing

@Suite("Text for Prometheus")
struct PrometheusTextTests {
    @Test("has each family once, with its help and kind")
    func text() {
        var text = PrometheusText()
        text.add("a_total", .counter, "As.", by: "kind", ["x": 1, "y": 2.5])
        text.add("b", .gauge, "Bs.", 0)
        text.add("c", .gauge, "Cs.", nil)
        text.add("d", .gauge, "Ds.", [])
        text.add(
            "e", .gauge, "Es.",
            [.init(1, [("home", "a"), ("kind", "x")]), .init(-2, [("home", "b"), ("kind", "x")])])
        #expect(
            text.text == """
                # HELP a_total As.
                # TYPE a_total counter
                a_total{kind="x"} 1
                a_total{kind="y"} 2.5
                # HELP b Bs.
                # TYPE b gauge
                b 0
                # HELP e Es.
                # TYPE e gauge
                e{home="a",kind="x"} 1
                e{home="b",kind="x"} -2

                """)
    }

    @Test("has each series once: a collector refuses all of a text with two")
    func twins() {
        var text = PrometheusText()
        text.add("a", .gauge, "As.", [.init(1, [("k", "x")]), .init(2, [("k", "x")])])
        #expect(text.text.hasSuffix("gauge\na{k=\"x\"} 1\n"))
    }

    @Test("has labels that end where they should, whatever is in them")
    func escapes() {
        var text = PrometheusText()
        text.add("a", .gauge, "As.", by: "k", ["a\\b\"c\nd": 1])
        #expect(text.text.hasSuffix("\na{k=\"a\\\\b\\\"c\\nd\"} 1\n"))
    }

    @Test("has numbers that collectors read")
    func numbers() {
        var text = PrometheusText()
        let values: [Double] = [1e300, 0.25, 1_700_000_000, .infinity, -.infinity, .nan]
        for value in values { text.add("a", .gauge, "As.", value) }
        let written = text.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let expected = ["1e+300", "0.25", "1700000000", "+Inf", "-Inf", "NaN"]
        #expect(written.map(String.init) == expected.map { "a \($0)" })
    }
}
