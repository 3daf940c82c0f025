extension Home {
    func fire(_ home: Home) { home.delivery.fire() }
}
