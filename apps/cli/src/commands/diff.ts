import { CommandFailure } from '@meadow/command'
import type { Command, CommandContext } from '../command-context.ts'
import { EXIT_CODES, exitCodeOf, reportError } from '../failure.ts'

interface DiffOptions {
  layout?: true
  patch?: true
  html?: string
}

const NOTES = `
Each of the two is a file (.gh, .ghx, or JSON as "meadow get --json" prints it), a document, a version of one, or a file of
a git revision:

  meadow diff old.gh new.gh        two files, or documents: names, paths, ids, addresses
  meadow diff tower.gh             a file and its last commit
  meadow diff HEAD~3 tower.gh      a file and an earlier commit of it
  meadow diff v1 v2 tower.gh       two commits of a file
  meadow diff main:tower.gh Tower  a file of a branch and a document
  meadow diff Tower@12 Tower       a version of a document and the document as it is now
  meadow diff 'Tower@As built' Tower@12

A version is named by its number, its id or its name. Files and revisions need no service.

Exit codes: 0 no difference, 1 different, 2 and more: the two could not be compared.`

/** `meadow diff` shows the differences between two documents. */
export const diffCommand: Command = {
  name: 'diff',
  description: 'Show what differs between two files, documents, versions or git revisions.',
  arguments: {
    '<a>': 'A file, a document, DOCUMENT@VERSION, REVISION:PATH, or a revision of the file that follows.',
    '[b]': 'The other one; without it, the file as it was in the last commit comes first.',
    '[path]': 'A file, after two revisions of it.',
  },
  options: {
    '--layout': 'Also what only looks different: positions, sizes, colours, new ids.',
    '--patch': 'Print the patch from the first to the second as JSON.',
    '--html <file>': 'Write a page that shows both graphs side by side, in one file.',
  },
  notes: NOTES,
  reads: ['readDocument'],
  examples: [
    'meadow diff old.gh new.gh',
    'meadow diff Facades/Tower tower.gh --layout',
    'meadow diff Tower@12 Tower',
    'meadow diff HEAD~1 tower.gh --html difference.html',
    `meadow diff HEAD~1 tower.gh --jq '.changes[].kind'`,
  ],
  run: diff,
}

async function diff(
  context: CommandContext,
  first: string,
  second: string | undefined,
  path: string | undefined,
  options: DiffOptions,
): Promise<void> {
  try {
    await compare(
      context,
      [first, second, path].filter((operand) => operand !== undefined),
      options,
    )
  } catch (error) {
    context.signal.throwIfAborted()
    // Exit code 1 means that the two differ, so a failure has another one.
    throw exitCodeOf(error) === EXIT_CODES.failed
      ? new CommandFailure(reportError(error).error, { exitCode: EXIT_CODES.usage })
      : error
  }
}

async function compare(context: CommandContext, operands: string[], options: DiffOptions): Promise<void> {
  const { output, endWith, run } = context
  const { readSides } = await import('../diff/read-side.ts')
  const { describeChange, diffDocuments } = await import('@meadow/diff')
  const sides = await readSides(operands, context)
  const difference = await run(() => diffDocuments(sides[0].content, sides[1].content))
  const { changes, layout } = difference
  const isDifferent = changes.length > 0 || (options.layout === true && layout.length > 0)
  endWith(isDifferent ? 1 : EXIT_CODES.ok)
  if (options.html !== undefined) {
    const { writeHtmlReport } = await import('../diff/write-html-report.ts')
    await writeHtmlReport(options.html, sides, difference, run)
    output.message(`Wrote ${options.html}.`)
  }
  if (options.patch) {
    const { createPatch } = await import('@meadow/diff')
    const patch = await run(() => createPatch(sides[0].content, sides[1].content))
    return output.data(patch, () => JSON.stringify(patch, undefined, 2))
  }
  if (!isDifferent && output.isForPeople) {
    const hint = layout.length > 0 ? `, but for ${layout.length} of the layout: --layout shows them` : ''
    const isWhole = sides.every(({ content }) => content.stored)
    const rest = isWhole
      ? ''
      : ' Settings that documents do not show were not compared: that takes two files.'
    return output.message(`No changes${hint}.${rest}`)
  }
  const { formatDifference } = await import('../diff/format-difference.ts')
  const [before, after] = sides.map(({ name }) => name)
  const toRow = (change: (typeof changes | typeof layout)[number]) => {
    const node = 'node' in change ? change.node : 'to' in change ? change.to.node : undefined
    const name = node ? node.nickName || node.name : null
    return [change.kind, name, node?.instanceId ?? null, describeChange(change)]
  }
  const isTable = context.options.csv === true
  const rows = isTable ? await run(() => [...changes, ...(options.layout ? layout : [])].map(toRow)) : []
  const text = output.isForPeople
    ? await run(() => formatDifference(difference, options.layout === true, output.style))
    : ''
  await output.data(
    { before, after, changes, ...(options.layout ? { layout } : { layoutCount: layout.length }) },
    { table: { columns: ['kind', 'node', 'id', 'change'], rows }, text: () => text },
  )
}
