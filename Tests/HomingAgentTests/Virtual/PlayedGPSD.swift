/// A port in gpsd's place, with one receiver, which says once that it has no fix.
final class PlayedGPSD: PlayedPort {
    private static let words =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB0","#
        + #""activated":"2026-11-20T10:00:00.000Z"}]}"# + "\r\n"
        + #"{"class":"TPV","device":"/dev/ttyUSB0","mode":1}"# + "\r\n"

    /// Whether it hangs up on whoever wants to watch.
    var hangsUp = false
    /// Number of requests to watch.
    private(set) var watched = 0

    override func heard(_ client: Int32) {
        guard String(decoding: said(by: client), as: UTF8.self).contains("?WATCH") else { return }
        taken(of: client)
        watched += 1
        if hangsUp { fallSilent(to: client) } else { say(Self.words, to: client) }
    }
}
