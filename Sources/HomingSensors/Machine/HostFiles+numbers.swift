internal import HomingRuntime

extension HostFiles {
    /// A file that holds one number, as most of sysfs does; `nil` if there is none.
    func number(_ path: String) throws(SensorFailure) -> Double? {
        guard let line = line(path) else { return nil }
        guard let number = decimal(line) else { throw SensorFailure(path, holds: line) }
        return number
    }

    /// The names in a folder that are a word and a number (`hwmon3`, `card0`), by that number.
    func numbered(_ word: String, in folder: String) -> [String] {
        let found = names(in: folder).compactMap { name -> (number: Int, name: String)? in
            guard name.hasPrefix(word), let number = Int(name.dropFirst(word.count)) else {
                return nil
            }
            return (number, name)
        }
        return found.sorted { $0.number < $1.number }.map(\.name)
    }
}

/// A decimal number as the kernel writes one; `nil` for anything else, `nan` and `0x1` included.
func decimal(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2D, 0x2E].contains($0) }),
        let number = Double(text), number.isFinite
    else { return nil }
    return number
}
