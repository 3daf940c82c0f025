import HomeAssistantAPI
import Testing

@Suite("Whose registration a machine holds")
struct RegisteredMachineTests {
    private static let board = MachineTraits(hardware: ["board", "eth"], system: "one")
    private static let other = MachineTraits(hardware: ["another board"], system: "one")

    private static func end(_ number: Int64) -> RegisteredMachine.QueueEnd {
        RegisteredMachine.QueueEnd(queue: "q", rows: ["location": number])
    }

    /// After starts on these machines, in each of which one more row is queued.
    private func standing(_ traits: MachineTraits, _ starts: MachineTraits...)
        -> RegisteredMachine
        .Standing
    {
        var machine = RegisteredMachine(traits)
        for (number, present) in starts.enumerated() {
            machine.start(on: present, successor: "s", end: Self.end(Int64(number)))
        }
        return machine.standing
    }

    private func moved(_ number: Int64) -> RegisteredMachine.Standing {
        .moved(after: Self.end(number))
    }

    @Test(
        "Other hardware is another machine, and what was queued before the first start there is its own"
    )
    func moved() {
        #expect(standing(Self.board, Self.other) == moved(0))
        #expect(standing(Self.board, Self.board, Self.other, Self.other) == moved(1))
    }

    @Test("A machine with a new interface, another system, or nothing to show is the same machine")
    func same() {
        let changed = MachineTraits(hardware: ["board", "usb"], system: "two")
        let later = MachineTraits(hardware: ["usb"], system: "two")
        // What was seen together belongs together.
        #expect(standing(Self.board, changed, later) == .own)
        #expect(standing(Self.board, MachineTraits()) == .own)
        #expect(standing(Self.board, MachineTraits(), Self.other) == moved(1))
        #expect(standing(MachineTraits(), Self.board) == .own)
        #expect(standing(MachineTraits(), Self.board, Self.other) == moved(1))
    }

    @Test("The system's id counts where the hardware shows nothing")
    func system() {
        let container = MachineTraits(system: "one")
        #expect(standing(container, MachineTraits(system: "two")) == moved(0))
        #expect(standing(container, container) == .own)
        // A container's state was taken to a board.
        #expect(
            standing(container, MachineTraits(hardware: ["board"], system: "two"))
                == moved(0))
        #expect(standing(container, Self.board, MachineTraits(hardware: ["x"])) == moved(1))
    }

    @Test(
        "A disk that comes back to its machine, and one that a person keeps, is the machine's own")
    func back() {
        #expect(standing(Self.board, Self.other, Self.board) == .own)
        var machine = RegisteredMachine(Self.board)
        machine.start(on: Self.other, successor: "s", end: Self.end(1))
        machine.keep(on: Self.other)
        #expect(machine.standing == .own && machine.successor == nil)
        machine.start(on: Self.board, successor: "s", end: Self.end(7))
        #expect(machine.standing == moved(7))
    }

    @Test("A moved machine does not learn the other machine's hardware")
    func learnsNothing() {
        var machine = RegisteredMachine(Self.board)
        machine.start(on: Self.other, successor: "s", end: Self.end(1))
        machine.start(on: MachineTraits(), successor: "t", end: Self.end(2))
        #expect(machine.standing == moved(1))
        #expect(machine.traits == Self.board)
    }

    @Test("A copy stays a copy on any hardware")
    func copied() {
        var machine = RegisteredMachine(Self.board)
        machine.becomeCopy(as: "s")
        for present in [Self.other, Self.board, MachineTraits()] {
            machine.start(on: present, successor: "t", end: Self.end(0))
            #expect(machine.standing == .copied)
        }
    }

    @Test("Interfaces that come and go do not fill the file")
    func bound() {
        var machine = RegisteredMachine(Self.board)
        for number in 0..<100 {
            let present = MachineTraits(hardware: ["board", "\(number)"], system: "one")
            machine.start(on: present, successor: "t", end: Self.end(0))
        }
        #expect(machine.traits.hardware.count == 16 && machine.traits.hardware.first == "board")
    }

    @Test("The id of another device is chosen once, and stays until there is such a device")
    func successor() {
        var machine = RegisteredMachine(Self.board)
        for number in 0..<3 {
            machine.start(on: Self.other, successor: "\(number)", end: Self.end(1))
        }
        #expect(machine.successor == "0")
        machine.start(on: Self.board, successor: "4", end: Self.end(1))
        #expect(machine.successor == nil)
        machine.becomeCopy(as: "5")
        machine.start(on: Self.other, successor: "6", end: Self.end(1))
        #expect(machine.successor == "5")
    }

    @Test("Another device sends nothing until the rows of the machine before are dropped")
    func clearing() {
        var machine = RegisteredMachine(Self.other, clearing: Self.end(3))
        for present in [Self.other, Self.board] {
            machine.start(on: present, successor: "s", end: Self.end(9))
            #expect(machine.standing == .clearing(Self.end(3)))
        }
        #expect(machine.standing.endOfOther == Self.end(3) && moved(4).endOfOther == Self.end(4))
        machine.cleared()
        #expect(machine.standing == .own && machine.standing.endOfOther == nil)
        machine.start(on: Self.board, successor: "s", end: Self.end(4))
        machine.cleared()
        #expect(machine.standing == moved(4), "only what is to be dropped was dropped")
    }

    @Test(
        "Boards of one number are told apart by their interfaces, and by nothing where one shows none"
    )
    func kinds() {
        let marked = MachineTraits(hardware: ["board-1", "interface-1"])
        for (hardware, differs) in [
            (["board-1", "interface-2"], true), (["board-2", "interface-1"], true),
            (["board-1", "interface-1", "interface-2"], false), (["board-1"], false),
        ] {
            let verdict = marked.compareAsImage(with: MachineTraits(hardware: hardware))
            #expect(verdict == (differs ? .another : .same))
        }
    }

    @Test(
        "Where only one of two shows hardware, another machine id is another machine, and the same id shows nothing"
    )
    func oneSide() {
        let bare = [MachineTraits(system: "one"), MachineTraits(system: "two"), MachineTraits()]
        let full = MachineTraits(hardware: ["board-1"], system: "one")
        for (traits, verdict) in zip(
            bare, [.unknown, .another, .unknown] as [MachineTraits.Verdict])
        {
            #expect(full.compareAsImage(with: traits) == verdict)
            #expect(traits.compareAsImage(with: full) == verdict)
        }
    }
}
