internal import HomingValkey

// Documented at the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ValkeyMailboxes: RingShelf {
    public func sealedRing(_ answer: @escaping StoreAnswer<[UInt8]?>) {
        let words = [Array("HGET".utf8), MailboxKeys.ring, Array("box".utf8)]
        scripts.sendCommand(Command(words), MailboxKeys.ring, answer) { reply in
            reply == .nothing ? .success(nil) : reply.bytes.map { .success($0) }
        }
    }

    public func putRing(
        _ sealed: [UInt8], replacing former: [UInt8]?, _ answer: @escaping StoreAnswer<Bool>
    ) {
        let arguments = [former ?? [], sealed]
        scripts.run(CommonScripts.putRing, [MailboxKeys.ring], arguments, isLasting: true, answer) {
            $0.number.map { .success($0 == 1) }
        }
    }
}
