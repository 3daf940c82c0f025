public import HomingRuntime

extension Table {
    /// Reads the file, and over it the files `PATH.d/*.conf` in the order of their names' bytes; each
    /// key has the value of the last file that sets it. So are the files of each part read, over
    /// what the part inherits.
    ///
    /// Nothing is applied unless all of it is right; the errors are all that could be found, up to
    /// a hundred.
    ///
    /// - Parameters:
    ///   - path: of the file, which gives the folders too.
    ///   - explicit: whether somebody named the path. If so the file must be there; a default path
    ///     without a file is all defaults, and its drop-ins count nevertheless.
    ///   - first: the part for which the values of the main files hold that hold for one part alone.
    ///   - files: where the files are read.
    public func load(
        path: String, explicit: Bool, first: String? = nil, files: SettingsFiles = .onDisk
    ) -> Result<Loaded<Root>, SettingsErrors> {
        let (loaded, problems) = read(path: path, explicit: explicit, first: first, files: files)
        guard problems.isEmpty else { return .failure(SettingsErrors(problems)) }
        return .success(loaded)
    }

    /// The values of files with errors, as far as they can be read: a key that has an error has the value
    /// from before.
    public func readable(
        path: String, explicit: Bool, first: String? = nil
    ) -> Loaded<Root> {
        read(path: path, explicit: explicit, first: first, files: .onDisk).loaded
    }

    /// Returns the contents of all files that are read, by path.
    public func contents(
        path: String, explicit: Bool
    ) throws(SystemError) -> [String: [UInt8]] {
        var paths = try self.files(of: path)
        for (_, file) in partNames(beside: path, .onDisk).names {
            paths += try self.files(of: file)
        }
        var contents: [String: [UInt8]] = [:]
        for path in paths {
            contents[path] = try AtomicFile.read(path, limit: FileContent.limit + 1)
        }
        return contents
    }

    private func read(
        path: String, explicit: Bool, first: String?, files: SettingsFiles
    ) -> (loaded: Loaded<Root>, problems: [Diagnostic]) {
        var reading = Reading(self)
        readWithDropIns(path, files, optional: !explicit, into: &reading)
        let inherited = inherited(from: reading.values)
        var parts: [String: Loaded<Root>.Part] = [:]
        var (problems, notes) = (reading.problems(), reading.notes)
        let (names, refused) = partNames(beside: path, files)
        problems += refused
        for (name, file) in names {
            var asFirst = Reading(self, part: reading.values)
            var asOther = Reading(self, part: inherited)
            readWithDropIns(file, files, optional: true, into: &asFirst)
            readWithDropIns(file, files, optional: true, into: &asOther)
            parts[name] = Loaded.Part(
                asFirst: asFirst.values, asOther: asOther.values,
                ownKeys: asOther.ownKeys(first: name), unreadable: asOther.unreadable)
            let part = name == first ? asFirst : asOther
            problems += part.problems()
            notes += part.notes
        }
        var loaded = Loaded(
            main: reading.values, notes: notes, ownKeys: reading.ownKeys(first: first),
            inherited: inherited, parts: parts, first: first)
        loaded.unreadable = reading.unreadable
        return (loaded, problems)
    }

    /// The parts that have files, and their files; and an error for each file of another name.
    private func partNames(
        beside path: String, _ files: SettingsFiles
    ) -> (names: [(String, String)], refused: [Diagnostic]) {
        guard let parts, let folder = partFolder(beside: path) else { return ([], []) }
        let entries: [String]
        do throws(SystemError) { entries = try files.names(folder) } catch {
            return ([], [Diagnostic(file: folder, "cannot be read: \(error.reason)")])
        }
        let found = entries.filter { !$0.hasPrefix(".") }.compactMap { entry in
            [".conf", ".conf.d"].first { entry.hasSuffix($0) }.map { entry.dropLast($0.count) }
        }
        let refused = Set(found).filter { !Parts.isName($0) }.sorted().map {
            Diagnostic(
                file: "\(folder)/\($0).conf",
                "no \(parts.part) can be called \(quoted(shortened(String($0)))): "
                    + "a name has 1 to 32 of a-z, 0-9 and \"-\", and no \"-\" first")
        }
        let names = Set(found).filter { Parts.isName($0) }.sorted()
        return (names.map { (String($0), "\(folder)/\($0).conf") }, refused)
    }

    /// Takes a file and its drop-ins.
    private func readWithDropIns(
        _ path: String, _ files: SettingsFiles, optional: Bool, into reading: inout Reading<Root>
    ) {
        read(path, files, optional: optional, into: &reading)
        do throws(SystemError) {
            for file in try dropIns(of: path, files) {
                read(file, files, optional: false, into: &reading)
            }
        } catch {
            reading.refuse(dropInFolder(of: path), "cannot be read: \(error.reason)")
        }
    }

    private func read(
        _ path: String, _ files: SettingsFiles, optional: Bool, into reading: inout Reading<Root>
    ) {
        do throws(FileContent.Failure) {
            reading.readFileContent(try files.read(path), of: path)
        } catch  where optional && error.isNotFound {
            return
        } catch {
            reading.refuse(path, error.message)
        }
    }
}
