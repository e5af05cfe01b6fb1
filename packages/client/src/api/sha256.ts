/** A digest that is computed while the bytes arrive. */
export interface Hash {
  update(bytes: Uint8Array): void
  /** Returns the digest of all bytes so far in hexadecimal digits, and ends the computation. */
  digest(): string
}

const BLOCK_BYTES = 64

/**
 * Returns the first 32 bits of the fractional parts of the `root`-th roots of the first primes (FIPS 180-4, 4.2.2,
 * 5.3.3).
 */
function fractions(count: number, root: 2 | 3): Int32Array {
  const found = new Int32Array(count)
  for (let candidate = 2, length = 0; length < count; candidate++) {
    let isPrime = true
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) isPrime &&= candidate % divisor !== 0
    if (isPrime) found[length++] = (candidate ** (1 / root) % 1) * 2 ** 32
  }
  return found
}

const START = fractions(8, 2)
const ROUND = fractions(64, 3)
const turn = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

/**
 * Creates a SHA-256 (FIPS 180-4) for a stream in a browser: Web Crypto takes whole files only, and is missing on pages
 * without HTTPS.
 */
export function createSha256(): Hash {
  const state = START.slice()
  const words = new Int32Array(64)
  const block = new Uint8Array(BLOCK_BYTES)
  const view = new DataView(block.buffer)
  let filled = 0
  let total = 0

  function add(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; ) {
      const end = Math.min(bytes.length, start + BLOCK_BYTES - filled)
      block.set(bytes.subarray(start, end), filled)
      filled = (filled + end - start) % BLOCK_BYTES
      if (filled === 0) mix()
      start = end
    }
  }

  function mix(): void {
    for (let index = 0; index < 16; index++) words[index] = view.getInt32(4 * index)
    for (let index = 16; index < 64; index++) {
      const near = words[index - 2]!
      const far = words[index - 15]!
      const nearMix = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)
      const farMix = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)
      words[index] = (nearMix + words[index - 7]! + farMix + words[index - 16]!) | 0
    }
    let a = state[0]!
    let b = state[1]!
    let c = state[2]!
    let d = state[3]!
    let e = state[4]!
    let f = state[5]!
    let g = state[6]!
    let h = state[7]!
    for (let index = 0; index < 64; index++) {
      const choice = (e & f) ^ (~e & g)
      const first =
        (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUND[index]! + words[index]!) | 0
      const majority = (a & b) ^ (a & c) ^ (b & c)
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    state[0]! += a
    state[1]! += b
    state[2]! += c
    state[3]! += d
    state[4]! += e
    state[5]! += f
    state[6]! += g
    state[7]! += h
  }

  return {
    update(bytes) {
      total += bytes.length
      add(bytes)
    },
    digest() {
      const padding = new Uint8Array(BLOCK_BYTES + 8)
      padding[0] = 0x80
      // The padding ends with zeros up to eight bytes before the end of a block, then the length in bits.
      add(padding.subarray(0, 1 + ((2 * BLOCK_BYTES - 9 - filled) % BLOCK_BYTES)))
      view.setBigUint64(BLOCK_BYTES - 8, 8n * BigInt(total))
      mix()
      return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
    },
  }
}
