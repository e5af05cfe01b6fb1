import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const PAGE = await readFile('docs/how-to-add.md', 'utf8')

/** The lines of a step, and where they go: before or after a line that has this text. */
interface Step {
  file: string
  where: 'before' | 'after'
  text: string
  lines: string
}

const STEP =
  /^ {3}```\w+ into="(?<file>[^"]+)" (?<where>before|after)="(?<text>(?:[^"\\]|\\.)+)"\n(?<lines>.*?)\n {3}```$/gms

const steps = [...PAGE.matchAll(STEP)].map(({ groups }) => {
  const { text, lines, ...step } = groups as unknown as Step
  return { ...step, text: text.replaceAll('\\"', '"'), lines: lines.replaceAll(/^ {3}/gm, '') }
})

/** Packages that the recipe changes or that have to be beside them. */
const COPIED = ['contract', 'document', 'geometry', 'inflate', 'solver']

/** Copies the sources of the packages; everything else that they import is that of this project. */
async function createCopy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meadow-recipe-'))
  await mkdir(join(folder, 'node_modules/@meadow'), { recursive: true })
  for (const name of COPIED) {
    await cp(`packages/${name}`, join(folder, 'packages', name), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
    await symlink(join(folder, 'packages', name), join(folder, 'node_modules/@meadow', name))
  }
  for (const name of await readdir('node_modules')) {
    if (name !== '@meadow') await symlink(resolve('node_modules', name), join(folder, 'node_modules', name))
  }
  await cp('package.json', join(folder, 'package.json'))
  return folder
}

async function carryOut(folder: string, { file, where, text, lines }: Step): Promise<void> {
  const path = join(folder, file)
  const content = (await readFile(path, 'utf8')).split('\n')
  const index = content.findIndex((line) => line.includes(text))
  assert.notEqual(index, -1, `${file} has no line with ${text}`)
  content.splice(where === 'before' ? index : index + 1, 0, lines)
  await writeFile(path, content.join('\n'))
}

test('given the recipe for a kind, when it is carried out in a copy of the project, then the kind is in the library, and its case is solved', async (t) => {
  assert.deepEqual(
    steps.map(({ file }) => file.split('/').at(-1)),
    ['maths.data.ts', 'list-maths.ts', 'number-lists.json'],
  )
  const folder = await createCopy()
  t.after(() => rm(folder, { recursive: true }))
  for (const step of steps) await carryOut(folder, step)
  const suite = ['--test', '--test-reporter=tap', '--test-name-pattern=Geometric Mean']
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...suite, 'packages/solver/src/reference.test.ts', 'packages/solver/src/kinds/kinds.test.ts'],
    // Node.js runs no tests in a process that it takes for one of its own test files.
    { cwd: folder, env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  )
  assert.match(stdout, /^ *ok \d+ - .*Geometric Mean.*two numbers/m)
})
