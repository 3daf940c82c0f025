/// Looks at the fields of a request's head for what two servers could understand differently: then
/// one would see a request where the other sees a body. RFC 9112, sections 3.2 and 6.3.
struct HeadCheck {
    private static let host = Array("host".utf8)
    private static let length = Array("content-length".utf8)
    private static let encoding = Array("transfer-encoding".utf8)
    private static let forward = Array("x-forwarded-for".utf8)
    private static let expect = Array("expect".utf8)

    private var hosts = 0
    private var lengths = 0
    private var encodings = 0
    private var defect: String?
    /// The value of `Content-Length`, if it is a number.
    private(set) var declared: Int?
    /// The values of `X-Forwarded-For`, in their order.
    private(set) var forwards: [String] = []
    /// Whether the client waits for a word before it sends the body.
    private(set) var expectsWord = false

    /// Takes the next field.
    mutating func checkField(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
        if name.isEmpty || !name.allSatisfy(Self.isToken) {
            defect = defect ?? "a field name holds a forbidden character"
        }
        if value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) {
            defect = defect ?? "a field holds control characters"
        }
        switch name.count {
        case 4 where Self.isSame(name, Self.host): hosts += 1
        case 6 where Self.isSame(name, Self.expect): expectsWord = true
        case 14 where Self.isSame(name, Self.length):
            lengths += 1
            declared = Self.number(value)
        case 15 where Self.isSame(name, Self.forward):
            forwards.append(String(decoding: value, as: UTF8.self))
        case 17 where Self.isSame(name, Self.encoding):
            encodings += 1
            if !Self.isSame(value, Array("chunked".utf8)) {
                defect = defect ?? "its Transfer-Encoding is not chunked alone"
            }
        default: break
        }
    }

    /// The fault of the head, for people; `nil` if the head is valid.
    ///
    /// - Parameter version: of the request's line.
    func fault(version: String) -> String? {
        if let defect { return defect }
        if lengths > 1 { return "there are several Content-Length fields" }
        if encodings > 1 { return "there are several Transfer-Encoding fields" }
        if hosts > 1 { return "there are several Host fields" }
        if lengths > 0, encodings > 0 {
            return "there are both Content-Length and Transfer-Encoding"
        }
        if lengths > 0, declared == nil { return "its Content-Length is no number" }
        if version == "HTTP/1.0" {
            return encodings > 0 ? "HTTP/1.0 has no Transfer-Encoding" : nil
        }
        return hosts == 0 ? "there is no Host" : nil
    }

    /// Whether the bytes can be a request's target: without spaces and control characters.
    static func isTarget(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e...0x60, 0x7c, 0x7e: true
        default: false
        }
    }

    /// Whether the bytes are these letters in small, whatever their case.
    private static func isSame(_ bytes: some Collection<UInt8>, _ small: [UInt8]) -> Bool {
        bytes.count == small.count
            && zip(bytes, small).allSatisfy { byte, letter in
                (0x41...0x5a).contains(byte) ? byte | 0x20 == letter : byte == letter
            }
    }

    private static func number(_ bytes: some Collection<UInt8>) -> Int? {
        guard (1...18).contains(bytes.count) else { return nil }
        var number = 0
        for byte in bytes {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }
}
