internal import CQREncode

/// The page of a login as a QR code, for a phone.
enum LoginCode {
    /// `nil` without libqrencode, and for an address that is too long for a code.
    static func picture(of page: String) -> CodePicture? {
        guard let code = homing_qr_encode(page) else { return nil }
        defer { homing_qr_free(code) }
        let side = Int(code.pointee.width)
        guard let modules = code.pointee.data, side > 0 else { return nil }
        // The lowest bit of a module is its colour.
        return CodePicture(side: side) { modules[$1 * side + $0] & 1 == 1 }
    }
}
