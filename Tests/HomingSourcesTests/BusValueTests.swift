import CGIO
import HomingMachine
import Testing

@testable import HomingBus
@testable import HomingSources

@Suite struct BusValueTests {
    /// A value in GVariant's own text format.
    private func value(_ text: String) throws -> BusValue {
        let variant = try #require(g_variant_parse(nil, text, nil, nil, nil), "\(text)")
        defer { g_variant_unref(variant) }
        return BusValue(variant)
    }

    @Test("every type of D-Bus is read, and a variant is what is in it")
    func types() throws {
        #expect(try value("true") == .boolean(true))
        for kind in ["byte", "int16", "uint16", "int32", "uint32", "int64", "uint64"] {
            #expect(try value("\(kind) 100") == .whole(100))
        }
        #expect(try value("int64 -5") == .whole(-5))
        #expect(try value("uint64 18446744073709551615") == .whole(.max))
        #expect(try value("1.5") == .number(1.5))
        #expect(try value("'text'") == .text("text"))
        #expect(try value("objectpath '/a/b'") == .text("/a/b"))
        #expect(try value("signature 'a{sv}'") == .text("a{sv}"))
        #expect(try value("<<'x'>>") == .text("x"))
        #expect(try value("['a', 'b']") == .list([.text("a"), .text("b")]))
        #expect(try value("('a', true)") == .list([.text("a"), .boolean(true)]))
        #expect(
            try value("{'a': <1>, 'b': <'c'>}") == .table(["a": .whole(1), "b": .text("c")]))
        #expect(try value("@a{ss} {}") == .table([:]))
        #expect(try value("@as []") == .list([]))
        #expect(try value("handle 3") == .handle(3))
    }

    @Test("a large value is kept as far as there is room")
    func room() throws {
        var room = 1000
        let long = String(repeating: "é", count: 1000)
        let table = BusValue.table(["a": .text(long), "b": .list([.text(long), .whole(1)])])
        guard case .table(let kept)? = table.within(&room) else {
            Issue.record("nothing is kept")
            return
        }
        #expect(kept["a"] == .text(String(repeating: "é", count: 256)))
        #expect(room < 64 && (kept["b"]?.list?.count ?? 0) < 2)
        var none = 0
        #expect(BusValue.whole(1).within(&none) == nil)
    }

    @Test("a value is what it is asked for, or nothing")
    func questions() throws {
        #expect(try value("true").boolean == true && value("1").boolean == nil)
        #expect(try value("7").whole == 7 && value("'7'").whole == nil)
        #expect(try value("7.5").number == 7.5 && value("nan").number == nil)
        #expect(try value("'a'").text == "a" && value("''").text == nil && value("1").text == nil)
        #expect(try value("['a']").list?.count == 1 && value("'a'").list == nil)
        #expect(try value("{'a': 1}").table?.count == 1 && value("'a'").table == nil)
    }

    @Test("a device that tells nonsense is no battery, or one of which little is known")
    func batteries() {
        #expect(Battery([:]) == nil)
        #expect(Battery(["Type": .whole(2)]) == nil, "whose it is must be said")
        let supply: [String: BusValue] = ["Type": .whole(2), "PowerSupply": .boolean(true)]
        #expect(Battery(supply) == Battery(name: "battery"))
        let odd = supply.merging([
            "NativePath": .text("/sys/devices/BAT0"), "State": .whole(99),
            "Percentage": .number(150), "EnergyRate": .number(-5), "Capacity": .number(0),
            "ChargeCycles": .whole(-1), "Model": .whole(1),
        ]) { $1 }
        #expect(Battery(odd) == Battery(name: "BAT0", percentage: 100, rate: 5))
        #expect(Battery(supply.merging(["IsPresent": .boolean(false)]) { $1 }) == nil)
    }
}
