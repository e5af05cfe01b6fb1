import type { Command, CommandContext } from '../command-context.ts'
import { EXIT_CODES, exitCodeOf } from '../failure.ts'
import { findDocument } from '../find/find-document.ts'
import { readSeconds } from '../help.ts'
import { type SolutionState, stateOf, waitUntilSolved } from '../wait-until-solved.ts'

/** `meadow wait` waits until documents are solved. */
export const waitCommand: Command = {
  name: 'wait',
  description:
    'Wait until no solve of the documents runs, and print the state of each. Fails when one is not solved then.',
  arguments: { '<document...>': 'The documents.' },
  options: { '--within <seconds>': { says: 'How long to wait at most.', read: readSeconds, default: 600 } },
  reads: ['readSolution'],
  examples: ['meadow wait Tower && meadow export Tower --format 3dm', 'meadow wait Tower Bridge --within 60'],
  run: wait,
}

async function wait(
  { openMeadow, output, signal, endWith }: CommandContext,
  names: readonly string[],
  { within }: { within: number },
): Promise<void> {
  const meadow = await openMeadow()
  const ids = await Promise.all(names.map((name) => findDocument(meadow, name, signal)))
  const results = await Promise.all(
    ids.map(async (id, index) => {
      try {
        await waitUntilSolved(meadow, id, within, signal)
        return { document: names[index]!, id, state: 'solved' as SolutionState, message: null, code: 0 }
      } catch (error) {
        signal.throwIfAborted()
        const code = exitCodeOf(error)
        const state = stateOf(error) ?? (code === EXIT_CODES.notReady ? 'solving' : undefined)
        if (state === undefined) throw error
        return { document: names[index]!, id, state, message: (error as Error).message, code }
      }
    }),
  )
  await output.data(
    results.map(({ code: _, ...result }) => result),
    {
      table: {
        columns: ['document', 'state', 'message', 'id'],
        rows: results.map(({ document, state, message, id }) => [document, state, message, id]),
      },
    },
  )
  endWith(Math.max(...results.map(({ code }) => code)))
}
