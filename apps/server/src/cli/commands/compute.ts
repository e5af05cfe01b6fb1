import { type CommandContext, CommandFailure, type Declaration } from '@meadow/command'
import { readConfig } from '../../config.ts'
import { checkServer } from '../../features/solves/compute/check-server.ts'
import { createComputeClient, createDeadline } from '../../features/solves/compute/compute-client.ts'

/** `meadow-server compute check` */
export const computeCheck: Declaration = {
  name: 'check',
  summary: 'Try the Rhino.Compute server of MEADOW_COMPUTE_URL.',
  description:
    'Send the Rhino.Compute server of MEADOW_COMPUTE_URL a definition whose values are known, and compare what comes ' +
    'back. The exit code is 1 when something differs.',
  options: {
    '--full':
      'Send five more definitions: data trees, nulls, solids, an error, and a component that nobody has.',
  },
  examples: ['meadow-server compute check', 'meadow-server compute check --full'],
  run: runComputeCheck,
}

const MAX_ANSWER_BYTES = 16 * 2 ** 20

async function runComputeCheck(
  { env, output, endWith }: CommandContext,
  { full }: { full?: true },
): Promise<void> {
  const { compute, limits } = readConfig(env).solving
  if (!compute) throw new CommandFailure('There is no Rhino.Compute server: MEADOW_COMPUTE_URL is not set.')
  const terms = {
    signal: new AbortController().signal,
    deadline: createDeadline(limits.timeMs),
    maxResponseBytes: MAX_ANSWER_BYTES,
  }
  const checks = await checkServer(createComputeClient(compute), terms, { isFull: full === true })
  const wrong = checks.filter(({ isRight }) => !isRight).length
  await output.data(
    { url: compute.url, checks },
    {
      table: {
        columns: ['THE SERVER', 'RESULT'],
        rows: checks.map(({ what, isRight }) => [what, isRight ? 'right' : 'WRONG']),
      },
    },
  )
  output.message(
    wrong === 0
      ? 'The server answers as Meadow expects.'
      : `${wrong} of ${checks.length} answers are wrong: nodes with such values stay unknown.`,
  )
  if (wrong > 0) endWith(1)
}
