import { defineKind } from '../declaration/define-kind.ts'
import { list } from '../declaration/ports.ts'
import { interpolateDomain } from '../maths/domains.ts'

/** The random numbers of .NET for a seed, spread over a domain (rule I-11). */
export const RANDOM = defineKind({
  guid: '2ab17f9a-d852-4405-80e1-938c5e57e78d',
  description: 'Random numbers in a domain; the same for the same seed.',
  options: { integers: [false] },
  outputs: [list.number],
  solve: ([range, number, seed], context) => {
    if (number < 0) {
      context.error('The number must be 0 or more')
      return []
    }
    context.reserve(number)
    const draw = createRandom(seed)
    return [Array.from({ length: number }, () => interpolateDomain(range, draw() / MODULUS))]
  },
})

const MODULUS = 2 ** 31 - 1
/** The number that seeds are subtracted from, in the digits of a tenth of the golden ratio. */
const GOLDEN = 161_803_398
const LENGTH = 55
const LAG = 21

/**
 * The generator of .NET's `System.Random` with a seed: whole numbers from 0 to 2³¹−2.
 * Source: D. E. Knuth, *The Art of Computer Programming*, volume 2, 3.2.2, the subtractive method, with the constants of
 * `ran3` in *Numerical Recipes* and the lag 21, as Microsoft's documentation of `System.Random` describes it.
 */
export function createRandom(seed: number): () => number {
  const table = createTable(seed)
  let [next, lagged] = [0, LAG]
  return () => {
    next = (next % LENGTH) + 1
    lagged = (lagged % LENGTH) + 1
    const difference = (table[next] as number) - (table[lagged] as number)
    // The largest number is not drawn: its quotient would be 1.
    const drawn = wrap(difference === MODULUS ? difference - 1 : difference)
    table[next] = drawn
    return drawn
  }
}

/** The 55 numbers that a seed begins with, at 1 to 55. */
function createTable(seed: number): Int32Array {
  const table = new Int32Array(LENGTH + 1)
  let last = GOLDEN - Math.min(Math.abs(seed), MODULUS)
  let other = 1
  table[LENGTH] = last
  for (let i = 1; i < LENGTH; i++) {
    const place = (LAG * i) % LENGTH
    table[place] = other
    other = wrap(last - other)
    last = table[place] as number
  }
  for (let round = 0; round < 4; round++) {
    for (let i = 1; i <= LENGTH; i++) {
      table[i] = wrap((table[i] as number) - (table[1 + ((i + 30) % LENGTH)] as number))
    }
  }
  return table
}

/** Makes a difference not negative, in 32 bits as in .NET. */
function wrap(difference: number): number {
  const whole = difference | 0
  return whole < 0 ? whole + MODULUS : whole
}
