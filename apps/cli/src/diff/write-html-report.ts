import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { CommandFailure, type Interrupt } from '@meadow/command'
import { writeFile } from '@meadow/command/files'
import type { Difference } from '@meadow/diff'
import type { Side } from './read-side.ts'

/** The report without its documents, as tools/build-html-report.ts builds it. It is beside `src` here, and beside `dist` in a package. */
const TEMPLATE = fileURLToPath(new URL('../../assets/html-report.html', import.meta.url))

/** Where the title and the documents go. */
const PLACES = /\{\{(?:title|diff)\}\}/

/** Writes both documents and their differences into one file, which shows them in any browser and loads nothing. */
export async function writeHtmlReport(
  path: string,
  [before, after]: [Side, Side],
  difference: Difference,
  run: Interrupt['run'],
): Promise<void> {
  const template = await readTemplate()
  const compared = ({ name, content }: Side) => {
    const { nodes, groups, configuration = { inputs: [], outputs: [] }, clusters = {} } = content
    return { label: name, content: { nodes, groups, configuration }, clusters }
  }
  // No text of a document can end the element that contains it, since `<` is escaped.
  const json = await run(() =>
    JSON.stringify({ before: compared(before), after: compared(after), difference }).replaceAll(
      '<',
      '\\u003c',
    ),
  )
  const title = escapeHtml(`${before.name} → ${after.name}`)
  const [head, middle, end] = template.split(PLACES)
  await writeFile(path, `${head}${title}${middle}${json}${end}`)
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

async function readTemplate(): Promise<string> {
  try {
    return await readFile(TEMPLATE, 'utf8')
  } catch {
    throw new CommandFailure('The HTML report was not built: run "npm run prepare" in the project.')
  }
}
