import CLinux
import Glibc

/// Memory that this process has allocated.
enum Heap {
    /// Bytes in use, in all arenas of malloc(3).
    static var size: Int {
        var text: UnsafeMutablePointer<CChar>?
        var count = 0
        guard let stream = open_memstream(&text, &count) else { return 0 }
        malloc_info(0, stream)
        fclose(stream)
        defer { free(text) }
        // The totals stand behind the last arena.
        let lines = text.map { String(cString: $0) }?.split(separator: "\n") ?? []
        func total(_ start: String) -> Int {
            let line = lines.last { $0.hasPrefix(start) } ?? ""
            let parts = line.split(separator: "\"")
            return parts.count > 1 ? parts.last { Int($0) != nil }.flatMap { Int($0) } ?? 0 : 0
        }
        let free = total("<total type=\"fast\"") + total("<total type=\"rest\"")
        return total("<system type=\"current\"") + total("<total type=\"mmap\"") - free
    }
}
