internal import CMicroHTTPD

extension ServerAnswer {
    private static let type = (name: "Content-Type", value: "application/json")

    /// The status, within what HTTP knows.
    var code: Int { max(200, min(status, 599)) }

    private var allFields: [(name: String, value: String)] {
        let hasType = fields.contains { $0.name.lowercased() == "content-type" }
        return hasType ? fields : [Self.type] + fields
    }

    /// Returns the response that the library sends.
    ///
    /// - Parameter closes: whether the connection ends after it.
    func response(closes: Bool) -> OpaquePointer? {
        let response = body.withUnsafeBytes { homing_mhd_response($0.baseAddress, $0.count) }
        guard let response else { return nil }
        for field in allFields { _ = homing_mhd_set_field(response, field.name, field.value) }
        if closes { _ = homing_mhd_set_field(response, "Connection", "close") }
        return response
    }

    /// All of the answer as text, after which the connection ends: where the library cannot answer.
    var wholeText: [UInt8] {
        let reason = [408: "Request Timeout", 413: "Content Too Large"][code] ?? "Error"
        let fields = allFields.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head =
            "HTTP/1.1 \(code) \(reason)\r\n\(fields)Content-Length: \(body.count)\r\n"
            + "Connection: close\r\n\r\n"
        return Array(head.utf8) + body
    }
}
