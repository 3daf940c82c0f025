/// One Home Assistant.
final class Home {
    let name = ""
    // The parts, for the home and its own tasks.
    let delivery = Delivery()
    let keeper = Keeper()
    private let outbox = Outbox()
}
