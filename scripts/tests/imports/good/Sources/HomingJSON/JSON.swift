enum JSON {}
