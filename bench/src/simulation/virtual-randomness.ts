import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { virtualRandom } from './virtual-time.ts'

/* Replaces what Node draws at random by the numbers of the seed. It has to be imported before the code under test. */

type Bytes = ArrayBufferView | ArrayBuffer

function fill<T extends Bytes>(target: T, offset = 0, size?: number): T {
  const bytes = ArrayBuffer.isView(target)
    ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
    : new Uint8Array(target)
  const random = virtualRandom()
  for (let at = offset; at < offset + (size ?? bytes.length - offset); at++) bytes[at] = random.whole(0, 255)
  return target
}

/** Returns the value, or hands it to the last argument when that is a callback. */
function answer<T>(given: readonly unknown[], value: T): T | undefined {
  const callback = given.at(-1)
  if (typeof callback !== 'function') return value
  process.nextTick(() => callback(null, value))
  return undefined
}

const drawn = {
  randomBytes: (size: number, ...given: unknown[]) => answer(given, fill(Buffer.alloc(size))),
  randomFillSync: fill,
  randomFill: (target: Bytes, ...given: unknown[]) => answer(given, fill(target)),
  randomUUID: () => virtualRandom().uuid(),
  randomInt(...given: unknown[]) {
    const [min, max] = given.filter((one) => typeof one === 'number')
    const [from, to] = max === undefined ? [0, min!] : [min!, max]
    return answer(given, virtualRandom().whole(from, to - 1))
  },
}

Object.assign(crypto, drawn)
Object.assign(Object.getPrototypeOf(crypto.webcrypto), {
  getRandomValues: <T extends Bytes>(target: T) => fill(target),
  randomUUID: drawn.randomUUID,
})
Math.random = () => virtualRandom().fraction()
syncBuiltinESMExports()
