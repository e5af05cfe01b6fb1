/** A reader with a fault behind four bytes, each in a branch of its own, so that a guess finds it once in 2^32 inputs. */
export function readLocked(bytes: Uint8Array): number {
  if (bytes[0] !== 0x4d) return 0
  if (bytes[1] !== 0x44) return 1
  if (bytes[2] !== 0x57) return 2
  return bytes[3] === 0x33 ? fail() : 3
}

function fail(): never {
  throw new TypeError('the fault')
}
