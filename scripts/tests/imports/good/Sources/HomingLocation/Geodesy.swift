internal import Glibc

let meridian = cos(0.0)
