internal import CMicroHTTPD
internal import Glibc

/// The line of a request, and how to read the fields that follow it.
struct RequestLine {
    let method: String
    /// Path without the query.
    let path: String
    let version: String

    init(
        method: UnsafePointer<CChar>, url: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) {
        self.method = String(cString: method)
        path = String(cString: url)
        self.version = String(cString: version)
    }

    /// Checks the fields of the request, as far as the server looks at them.
    static func check(_ handle: OpaquePointer) -> HeadCheck {
        var check = HeadCheck()
        withUnsafeMutablePointer(to: &check) { pointer in
            homing_mhd_fields(
                handle,
                { context, _, name, nameSize, value, valueSize in
                    context?.assumingMemoryBound(to: HeadCheck.self).pointee.checkField(
                        UnsafeRawBufferPointer(start: name, count: nameSize),
                        UnsafeRawBufferPointer(start: value, count: valueSize))
                    return .YES
                }, pointer)
        }
        return check
    }

    /// The values of all fields of this name, whatever its case, in their order.
    static func values(of name: String, _ handle: OpaquePointer) -> [String] {
        var search = Search(name: name)
        withUnsafeMutablePointer(to: &search) { pointer in
            homing_mhd_fields(
                handle,
                { context, _, name, _, value, _ in
                    let search = context?.assumingMemoryBound(to: Search.self)
                    if let search, let name, strcasecmp(name, search.pointee.name) == 0 {
                        search.pointee.values.append(value.map { String(cString: $0) } ?? "")
                    }
                    return .YES
                }, pointer)
        }
        return search.values
    }

    private struct Search {
        let name: String
        var values: [String] = []
    }
}
