/// Number of rows that are left.
/// What comes later may begin as it likes.
let i = "1"
