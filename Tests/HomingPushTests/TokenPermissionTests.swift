import Testing

@testable import HomingBase
@testable import HomingPush
@testable import HomingRoutes

/// To which endpoint the token may go.
@Suite struct TokenPermissionTests {
    private static let now = Moment(uptime: 1000, unixTime: 1_700_000_000)
    private static let plain = Endpoint(
        kind: .instance, webhookURL: "http://192.168.1.2:8123/api/webhook/w", isAuthentic: false)

    private func permission(
        _ endpoint: Endpoint = plain, atHome: Bool = true, isProven: Bool = true,
        plainHTTP: PlainHTTPToken = .home, receiptAge: Seconds? = nil
    ) -> TokenPermission {
        var health = EndpointHealth()
        health.succeeded(at: Self.now)
        if let receiptAge {
            health.gaveReceipt(
                at: Moment(
                    uptime: Self.now.uptime - receiptAge,
                    unixTime: Self.now.unixTime - receiptAge))
        }
        return TokenPermission(
            for: endpoint, atHome: atHome, provesHomeAssistant: isProven, plainHTTP: plainHTTP,
            health: health, since: Self.now)
    }

    @Test("Over verified TLS it may always go")
    func authentic() {
        let tls = Endpoint(
            kind: .remoteUI, webhookURL: "https://x.ui.nabu.casa/api/webhook/w", isAuthentic: true)
        #expect(permission(tls, atHome: false, plainHTTP: .never) == .granted)
    }

    @Test("On this machine it goes after a receipt, wherever the machine is")
    func loopback() {
        let own = Endpoint(
            kind: .instance, webhookURL: "http://127.0.0.1:8123/api/webhook/w", isAuthentic: true)
        for atHome in [false, true] {
            let away = permission(own, atHome: atHome, plainHTTP: .never)
            #expect(away == .afterReceipt)
            #expect(permission(own, atHome: atHome, receiptAge: 0.001) == .afterReceipt)
            #expect(permission(own, atHome: atHome, receiptAge: 0) == .granted)
            #expect(permission(own, atHome: atHome, isProven: false) == .granted)
        }
    }

    @Test("Over plain HTTP at home it goes after a receipt, not after one of before it was wanted")
    func receipt() {
        #expect(permission(receiptAge: -1) == .granted)
        #expect(permission(receiptAge: 0) == .granted)
        #expect(permission(receiptAge: 0.001) == .afterReceipt)
    }

    @Test("A sealed answer that could have been recorded is no receipt")
    func otherProof() { #expect(permission() == .afterReceipt) }

    @Test("A receipt given on another network vouches for nothing")
    func otherNetwork() {
        var health = EndpointHealth()
        health.gaveReceipt(at: Self.now)
        health.networkChanged()
        #expect(health.lastReceipt == nil)
    }

    @Test("Away from home, without a secret, or where it is switched off, it does not go")
    func refused() {
        for permission in [
            permission(atHome: false, receiptAge: 0), permission(isProven: false, receiptAge: 0),
            permission(plainHTTP: .never, receiptAge: 0),
        ] {
            guard case .refused = permission else {
                Issue.record("\(permission)")
                continue
            }
        }
    }

    @Test(
        "The channel uses the address before the webhook's path, and never a cloudhook"
    )
    func channelEndpoints() {
        #expect(
            ChannelEndpoint(Self.plain)
                == ChannelEndpoint(kind: .instance, url: "http://192.168.1.2:8123"))
        let hook = Endpoint(
            kind: .cloudhook, webhookURL: "https://hooks.nabu.casa/abc", isAuthentic: true)
        #expect(ChannelEndpoint(hook) == nil)
    }
}
