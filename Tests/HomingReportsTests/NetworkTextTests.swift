import HomingControl
import HomingReports
import Testing

/// The networks as people read them.
@Suite struct NetworkTextTests {
    private static func text(isHome: Bool = false, isAssumedHome: Bool?) -> String {
        var report = NetworkReport([
            .init(
                name: "cable: eth0", gateway: nil, sharesGateway: false, bssid: nil, isHome: isHome,
                travels: false, isDoubted: false, place: nil)
        ])
        report.isAssumedHome = isAssumedHome
        return report.text
    }

    @Test("A network without a name is treated as home where the status says so")
    func assumedHome() {
        let treated = "treated as home, because NetworkManager does not name the network"
        #expect(Self.text(isAssumedHome: true).contains(treated))
        for other in [false, nil] {
            #expect(Self.text(isAssumedHome: other).contains("not home, and no known place"))
        }
        #expect(Self.text(isHome: true, isAssumedHome: true).contains("  at home; "))
    }
}
