import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An example of a README as a program, and the lines that it says it prints; none where it says nothing. */
export interface Example {
  code: string
  prints: string[]
}

/** What stands in the output of `RUN_EXAMPLES` behind that of each example. */
export const END_OF_EXAMPLE = '\0\n'

/**
 * A program in the folder of the examples that runs those that its arguments name one after another, each until nothing
 * is left for it to do.
 */
export const RUN_EXAMPLES = `
const examples = process.argv.slice(2)
let current
let isImported = true
const fail = (error) => {
  console.error('The example ' + current + ' failed:', error)
  process.exit(1)
}
process.on('uncaughtException', fail)
process.on('beforeExit', async () => {
  if (!isImported) fail('What it awaits does not come.')
  if (current !== undefined) process.stdout.write(${JSON.stringify(END_OF_EXAMPLE)})
  current = examples.shift()
  if (current === undefined) return
  isImported = false
  await import('./' + current + '.mjs')
  isImported = true
})
`

/** What examples use without making it, because an earlier one of the page did, or a reader has their own. */
const GIVEN: Record<string, string> = {
  baseUrl: 'const baseUrl = process.env.MEADOW_URL!',
  token: 'const token = process.env.MEADOW_TOKEN!',
  read: [
    "const headers = { authorization: 'Bearer ' + token }",
    "const read = async (path: string) => (await fetch(baseUrl + '/api/v1' + path, { headers })).json()",
  ].join('\n'),
  writeFile: "import { writeFile } from 'node:fs/promises'",
  toCsv: "import { toCsv } from '@meadow/tables'",
  DEFAULT_COLUMNS: "import { DEFAULT_COLUMNS } from '@meadow/tables'",
  meadow: "import { Meadow } from '@meadow/client'\nconst meadow = new Meadow({ baseUrl, token })",
  team: 'const team = await meadow.readTeam()',
  documents: "const { documents } = await meadow.searchDocuments({ q: 'twisted tower' })",
  tower: "const [tower] = (await meadow.searchDocuments({ q: 'twisted tower' })).documents",
  document: 'const document = await meadow.readDocument(tower!.id)',
  solution: 'const solution = await meadow.waitForSolution(tower!.id)',
  nodeId: 'const [nodeId] = Object.keys(solution.data) as [string]',
  portId: 'const [portId] = Object.keys(solution.data[nodeId]!) as [string]',
  state: 'const state = undefined',
  writable: 'const writable = new WritableStream<Uint8Array>()',
}

/** What stands for the reader's own service. */
const REPLACED: [string, string][] = [
  ["'http://127.0.0.1:4000'", 'process.env.MEADOW_URL!'],
  ["'doc_…'", 'process.env.SMALL_DOCUMENT_ID!'],
  ['port: 4001', 'port: 0'],
]

/** The examples of a package's README, from the first to the last. */
export function listExamples(folder: string): Example[] {
  const file = join(folder, 'README.md')
  if (!existsSync(file)) return []
  return [...readFileSync(file, 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => ({
    code: withGiven(REPLACED.reduce((code, [shown, own]) => code.replaceAll(shown, own), text!)),
    prints: [...text!.matchAll(/^ *\/\/ prints (.*)$/gm)].map(([, line]) => line!),
  }))
}

/** The code behind what it takes as given; that may take other things as given. */
function withGiven(code: string): string {
  const missing = Object.entries(GIVEN).findLast(
    ([name]) =>
      new RegExp(`(?<![^.]\\.|['\\w/])${name}\\b(?!['/:])`).test(withoutComments(code)) &&
      !declares(code, name),
  )
  // An import makes the file a module, in which it may wait.
  return missing ? withGiven(`${missing[1]}\n${code}`) : `${code}\nexport {}\n`
}

const withoutComments = (code: string): string => code.replace(/\/\/.*$/gm, '')

/** Whether code declares or imports a name, also one that it takes out of an object or list. */
const declares = (code: string, name: string): boolean =>
  new RegExp(`\\b(import|const|let|for await \\(const|for \\(const) ([{[][^=}\\]]*\\b)?${name}\\b`).test(code)
