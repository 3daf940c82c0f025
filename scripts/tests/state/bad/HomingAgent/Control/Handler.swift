func answer(_ home: Home) {
    home.delivery.fire()
    guard homeOfMessage(message)?.keeper != nil else { return }
}
