import HomingBase
import HomingLocation
import HomingMachine
import Testing

@testable import HomingSensors

@Suite struct MachineStateTests {
    private let now = Moment(uptime: 1000, unixTime: 1_763_730_000)

    @Test("what sources notice becomes the state")
    func observations() {
        var state = MachineState()
        let power = PowerState(batteryPercentage: 50, onBattery: true)
        state.applyObservation(.power(power))
        let network = NetworkState.known(
            NetworkState.Network(primary: nil, connectivity: .none, metered: false))
        state.applyObservation(.network(network))
        #expect(state.power == power)
        #expect(state.network == network)
        state.applyObservation(.batteries([Battery(name: "BAT0")]))
        state.applyObservation(.networkDetails(NetworkDetails(hasWiFi: true)))
        state.applyObservation(.sessions([]))
        state.applyObservation(.powerProfile("balanced"))
        state.applyObservation(.media([]))
        #expect(state.batteries?.map(\.name) == ["BAT0"])
        #expect(state.details == NetworkDetails(hasWiFi: true))
        #expect(state.sessions == [] && state.media == [] && state.powerProfile == "balanced")
    }

    @Test("the last position stands while the receiver has none")
    func positions() throws {
        var state = MachineState()
        let report = { (mode: FixMode) in
            PositionReport(
                mode: mode, time: 1_763_729_999, latitude: 52, longitude: 5, accuracy: 10)
        }
        state.applyObservation(.position(report(.twoDimensional)))
        #expect(state.fixMode == .twoDimensional)
        #expect(state.fix == nil, "whether it can be believed is decided elsewhere")
        state.applyObservation(.shownFix(try Fix.reading(report(.twoDimensional)).get()))
        #expect(state.fix?.source == .gpsd)
        state.applyObservation(.position(report(.none)))
        #expect(state.fixMode == FixMode.none)
        #expect(state.fix?.source == .gpsd, "the last one stands")
    }

    @Test("when gpsd goes, so does what its receiver knows; while it rests, that stands")
    func gpsd() {
        var state = MachineState()
        state.applyObservation(.position(PositionReport(mode: .none)))
        state.applyObservation(.sky(SkyView(used: 0, seen: 3, hdop: nil)))
        state.applyObservation(.gpsd(.resting))
        #expect(state.fixMode == FixMode.none && state.sky?.seen == 3)
        state.applyObservation(.gpsd(.disconnected("gone")))
        #expect(state.fixMode == nil && state.sky == nil)
    }
}
