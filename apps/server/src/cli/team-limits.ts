import { formatBytes } from '@meadow/contract'
import { Command, InvalidArgumentError } from 'commander'
import type { TeamLimits } from '../catalogue/quotas.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { formatCount } from './format-count.ts'
import { getTeam, openStorage } from './storage.ts'

/** `meadow-server team limits` */
export const teamLimits = (start: StartCommand): Command =>
  new Command('limits')
    .description('Print how much a team stores and may store, or set how much it may.')
    .argument('<id>', 'The id of the team.')
    .option('--bytes <size>', 'At most so much, such as 500MB or 10GB; "none" lifts the limit.', readSize)
    .option('--documents <number>', 'At most so many documents; "none" lifts the limit.', readNumber)
    .action(start(showLimits))
    .addHelpText(
      'after',
      examples(
        'meadow-server team limits <ID>',
        'meadow-server team limits <ID> --bytes 10GB --documents 5000',
        'meadow-server team limits <ID> --bytes none',
      ),
    )
    .addHelpText(
      'after',
      `
Counted are the original files and the contents of all documents, those in the bin included until they are deleted for
ever; solutions and exports are not. A team above its limit keeps what it has, and people go on editing, but nothing
new is taken in.`,
    )

interface Options {
  bytes?: number | 'none'
  documents?: number | 'none'
}

async function showLimits(context: CommandContext, id: string, options: Options): Promise<void> {
  await using storage = await openStorage(context)
  const { catalogue } = storage
  const { key } = await getTeam(catalogue, id)
  if (options.bytes !== undefined || options.documents !== undefined) {
    const limits: Partial<TeamLimits> = {}
    if (options.bytes !== undefined) limits.bytes = toLimit(options.bytes)
    if (options.documents !== undefined) limits.documents = toLimit(options.documents)
    await catalogue.changeTeam(key, (change) => change.setLimits(limits))
  }
  const { limits, use } = await catalogue.getQuota(key)
  context.output.data({ id, limits, use }, () =>
    [
      `Bytes: ${formatBytes(use.bytes)} of ${limits.bytes === null ? 'any number' : formatBytes(limits.bytes)}.`,
      `Documents: ${formatCount(use.documents)} of ${limits.documents === null ? 'any number' : formatCount(limits.documents)}.`,
    ].join('\n'),
  )
}

/** What commander is handed cannot be null. */
const toLimit = (given: number | 'none'): number | null => (given === 'none' ? null : given)

const UNITS = { '': 0, kb: 1, mb: 2, gb: 3, tb: 4 }

/** A size in bytes; a KB has 1024. */
function readSize(text: string): number | 'none' {
  if (text === 'none') return text
  const [, digits, unit] = /^(\d{1,12}(?:\.\d{1,3})?) ?(kb|mb|gb|tb|)$/i.exec(text) ?? []
  const bytes = Math.round(Number(digits) * 1024 ** UNITS[(unit ?? '').toLowerCase() as keyof typeof UNITS])
  if (!Number.isSafeInteger(bytes))
    throw new InvalidArgumentError('It must be a size such as 500MB or 10GB, or "none".')
  return bytes
}

function readNumber(text: string): number | 'none' {
  if (text === 'none') return text
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, or "none".')
  return Number(text)
}
