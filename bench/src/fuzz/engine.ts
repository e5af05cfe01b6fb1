import type { Coverage } from './instrument.ts'

/** A reader of foreign bytes. */
export interface Target {
  name: string
  /** Inputs to begin with. */
  seeds: readonly Uint8Array[]
  /** Pieces that mean something to the reader. */
  words: readonly Uint8Array[]
  /** Inputs are at most this long, in bytes. */
  maxLength: number
  /** Reads an input and checks what must hold of the result. Throws for inputs that are rejected. */
  run(input: Uint8Array): void
  /** Whether an error says that an input is rejected; any other error is a fault. */
  isRejection(error: unknown): boolean
}

export interface Fault {
  input: Uint8Array
  error: unknown
}

export interface Fuzzed {
  inputs: number
  read: number
  rejected: number
  /** Blocks that the seeds have run, and that all inputs have. */
  reachedBySeeds: number
  reached: number
  /** The inputs that were the first to run a block. */
  corpus: readonly Uint8Array[]
  faults: readonly Fault[]
}

export interface FuzzOptions {
  coverage: Coverage
  /** Is called with each input before it is read. */
  onInput?(input: Uint8Array): void
  /** Ends the run. */
  isOver(inputs: number): boolean
  seed: number
  /** False for mutations of the seeds alone, to compare with. */
  isLed?: boolean
}

/** One fault of a kind is enough; a run with as many ends. */
const MAX_FAULTS = 10
/** The share of mutations that begin from one of the inputs that were kept last. */
const RECENT = 0.5

/**
 * Runs a target with mutations of the seeds and of every input that ran a block which none before it had run: such an
 * input is kept, so that the next ones begin where it got to. The same seed gives the same inputs.
 */
export function fuzz(target: Target, { coverage, onInput, isOver, seed, isLed = true }: FuzzOptions): Fuzzed {
  const random = createRandom(seed)
  const { hits } = coverage
  const seen = new Uint8Array(hits.length)
  const corpus: Uint8Array[] = []
  const faults = new Map<string, Fault>()
  const counts = { inputs: 0, read: 0, rejected: 0 }
  let reached = 0

  /** Runs an input. Whether it was the first to run some block. */
  function run(input: Uint8Array): boolean {
    hits.fill(0, 0, coverage.blocks())
    counts.inputs++
    onInput?.(input)
    try {
      target.run(input)
      counts.read++
    } catch (error) {
      if (target.isRejection(error)) counts.rejected++
      else faults.set(describe(error), { input, error })
    }
    const before = reached
    for (let block = 0; block < coverage.blocks(); block++) {
      if (hits[block] === 0 || seen[block] === 1) continue
      seen[block] = 1
      reached++
    }
    return reached > before
  }

  for (const input of target.seeds) {
    run(input)
    corpus.push(input)
  }
  const reachedBySeeds = reached
  const seeds = corpus.length
  while (faults.size < MAX_FAULTS && !isOver(counts.inputs)) {
    const recent = random(1000) < 1000 * RECENT ? Math.min(corpus.length, 16) : corpus.length
    const from = corpus[corpus.length - 1 - random(recent)]!
    const input = mutate(from, corpus, target, random)
    if (run(input) && isLed) corpus.push(input)
  }
  return { ...counts, reachedBySeeds, reached, corpus: corpus.slice(seeds), faults: [...faults.values()] }
}

/** Errors of one kind have the same first lines. */
function describe(error: unknown): string {
  const { stack = '' } = error instanceof Error ? error : { stack: String(error) }
  return stack
    .split('\n')
    .filter((line) => line.includes(' at '))
    .slice(0, 2)
    .join()
}

/** Returns a whole number from 0 up to the limit, which is not included. */
type Random = (limit: number) => number

/** A linear congruential generator; https://en.wikipedia.org/wiki/Lehmer_random_number_generator has the constants. */
function createRandom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * limit)
  }
}

const INTERESTING = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]

/** Changes an input in one to four places. */
function mutate(
  from: Uint8Array,
  corpus: readonly Uint8Array[],
  { words, maxLength }: Target,
  random: Random,
): Uint8Array {
  let bytes: Uint8Array = from
  for (let left = 1 + random(4); left > 0; left--) {
    const at = random(bytes.length + 1)
    const length = Math.min(bytes.length - at, 1 + random(random(4) === 0 ? 256 : 8))
    const other = corpus[random(corpus.length)]!
    const [head, piece, rest] = [
      bytes.subarray(0, at),
      bytes.subarray(at, at + length),
      bytes.subarray(at + length),
    ]
    const start = random(other.length)
    switch (random(8)) {
      case 0:
        bytes = join(head, flip(piece, random), rest)
        break
      case 1:
        bytes = join(head, number(random), bytes.subarray(at + 4))
        break
      case 2:
        bytes = join(head, rest)
        break
      case 3:
        bytes = join(head, piece, piece, rest)
        break
      case 4:
        bytes = join(
          head,
          Uint8Array.from({ length: 1 + random(8) }, () => random(256)),
          bytes.subarray(at),
        )
        break
      case 5:
        bytes = join(
          head,
          words.length > 0 ? words[random(words.length)]! : piece,
          random(2) === 0 ? rest : bytes.subarray(at),
        )
        break
      case 6:
        bytes = join(head, other.subarray(start, start + 1 + random(64)), rest)
        break
      default:
        bytes = join(head, other.subarray(start))
    }
  }
  return bytes.subarray(0, maxLength)
}

function flip(piece: Uint8Array, random: Random): Uint8Array {
  const flipped = Uint8Array.from(piece)
  if (flipped.length > 0) flipped[random(flipped.length)]! ^= 1 << random(8)
  return flipped
}

function number(random: Random): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, INTERESTING[random(INTERESTING.length)]!, random(2) === 0)
  return bytes
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
