import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chosenBy, readNumber, reportProgress, runCommand } from '../harness/command.ts'
import { type Fuzzed, fuzz, type Target } from './engine.ts'
import { instrument } from './instrument.ts'
import { watchInputs } from './watch.ts'

const HELP = `Usage: npm run fuzz -- [options]

Reads mutated inputs with every reader of foreign bytes, led by the blocks of code that they reach. Ends with 1 when a
reader throws something other than a rejection, or something does not hold of what it read.

  --target NAME    Only targets whose names contain this text.
  --seconds N      How long each target is run. Default: 60.
  --inputs N       How many inputs each target gets, in place of a time.
  --seed N         The seed of the mutations. Default: 1.
  --unled          Mutates the first inputs alone, to compare with.
  --faults FOLDER  Writes the inputs of faults into this folder.
`

interface FuzzCommand {
  isWanted: (name: string) => boolean
  seconds: number
  inputs: number | undefined
  seed: number
  isLed: boolean
  faults: string | undefined
}

await runCommand(HELP, readOptions, async (options) => {
  const coverage = instrument(
    (path) =>
      /\/(packages\/(?!geometry|gltf)|apps\/server\/src\/(http|features|access))/.test(path) &&
      !/testing|\.data\.ts$/.test(path),
  )
  const { TARGETS } = await import('./targets.ts')
  if (options.faults !== undefined) mkdirSync(options.faults, { recursive: true })
  const lines = [
    '| Target | Inputs | a second | Read | Rejected | Blocks: first inputs | all | Kept | Faults |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  ]
  let faults = 0
  for (const target of TARGETS.filter(({ name }) => options.isWanted(name))) {
    reportProgress(target.name)
    const startedAt = performance.now()
    const isOver = (inputs: number) =>
      options.inputs === undefined
        ? performance.now() - startedAt > 1000 * options.seconds
        : inputs >= options.inputs
    const watch = watchInputs(target.maxLength, join(options.faults ?? tmpdir(), 'meadow-fuzz-hang'))
    const { seed, isLed } = options
    const fuzzed = fuzz(target, { coverage, onInput: watch.note, isOver, seed, isLed })
    watch.stop()
    lines.push(describe(target, fuzzed, (performance.now() - startedAt) / 1000))
    faults += fuzzed.faults.length
    for (const [number, fault] of fuzzed.faults.entries()) reportFault(target, fault, number, options.faults)
  }
  return { text: lines.join('\n'), code: faults > 0 ? 1 : 0 }
})

function readOptions(args: readonly string[]): FuzzCommand | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      target: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string', default: '60' },
      inputs: { type: 'string' },
      seed: { type: 'string', default: '1' },
      unled: { type: 'boolean', default: false },
      faults: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  return {
    isWanted: chosenBy(values.target),
    seconds: readNumber('--seconds', values.seconds),
    inputs: values.inputs === undefined ? undefined : readNumber('--inputs', values.inputs),
    seed: readNumber('--seed', values.seed, 0),
    isLed: !values.unled,
    faults: values.faults,
  }
}

function describe({ name }: Target, fuzzed: Fuzzed, seconds: number): string {
  const { inputs, read, rejected, reachedBySeeds, reached, corpus, faults } = fuzzed
  const cells = [
    inputs,
    Math.round(inputs / seconds),
    read,
    rejected,
    reachedBySeeds,
    reached,
    corpus.length,
    faults.length,
  ]
  return `| ${name} | ${cells.map((cell) => cell.toLocaleString('en')).join(' | ')} |`
}

function reportFault(
  { name }: Target,
  { input, error }: Fuzzed['faults'][number],
  number: number,
  folder?: string,
): void {
  reportProgress(`${name}: ${error instanceof Error ? error.stack : error}`)
  reportProgress(
    `  with ${JSON.stringify(Buffer.from(input).toString('latin1').slice(0, 200))}, ${input.length} bytes`,
  )
  if (folder !== undefined) writeFileSync(join(folder, `${name.replaceAll(' ', '-')}-${number}`), input)
}
