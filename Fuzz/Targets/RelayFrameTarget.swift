internal import HomingRelayProtocol

/// Frames between relay and device, of both directions: bounded, and the same when they are written
/// and read again.
final class RelayFrameTarget: FuzzTarget {
    static let name = "relay-frame"
    static let longest = 8192

    func run(_ input: [UInt8]) throws {
        let frame = RelayFrame(input)
        let ofDevice = RelayFrame(input, limit: RelayFrame.deviceLimit)
        require(
            ofDevice == (input.count <= RelayFrame.deviceLimit ? frame : nil),
            "the limit changes more than what is read")
        guard let frame else { return }
        require(isObject(input), "a text is a frame that is not an object")
        require(RelayFrame(frame.text) == frame, "\(frame) changes")
        require(isObject(frame.text) && !frame.text.contains(0x0A), "\(frame) is no line")
        check(frame)
    }

    private func check(_ frame: RelayFrame) {
        switch frame {
        case .hello(let version, let now, _):
            require(version >= 0 && RelayTime.bounded(now) == now, "a hello of no time")
        case .ready(let waiting, let count, _):
            require(waiting >= 0 && count.resetsAt >= 0, "a negative number")
        case .message(let id, let now, _):
            require(MessageID(text: id.text) == id && now >= 0, "a message of no id")
        case .bye(let seconds, let why):
            require((0...86_400).contains(seconds) && !faultIsPlanted, "away for \(seconds) s")
            let isClean = why.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            require(why.utf8.count <= 200 && isClean, "a farewell that is not clean")
        case .refused(let refusal): require(!refusal.description.isEmpty, "no words")
        case .proof(let proof): require(proof.count == Challenge.proofSize, "a short proof")
        case .acknowledge(let ids):
            require((1...RelayFrame.window).contains(ids.count), "\(ids.count) ids")
        case .revoke, .unknown: break
        }
    }
}
