import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { parseWalks, readWalks } from './reading-guide.ts'

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const pages = files.filter((file) => file.endsWith('.md'))
const textOf = (file: string) => readFileSync(file, 'utf8')

test('given the pages, when they link to a file, then it is there', () => {
  for (const page of pages) {
    for (const [, link] of textOf(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
      assert.ok(existsSync(join(dirname(page), link!)), `${page} links to ${link}`)
    }
  }
})

test('given ARCHITECTURE.md, when it names a file or folder, then it is there', () => {
  const tree = /```\n(apps\/server.+?)\n```/s.exec(textOf('ARCHITECTURE.md'))![1]!
  const folders: string[] = []
  for (const line of tree.trim().split('\n')) {
    const [, indent, name] = /^( *)(\S+)/.exec(line)!
    folders.length = indent!.length / 2
    folders.push(name!)
    assert.ok(existsSync(join(...folders)), folders.join('/'))
  }
})

test('given the decisions, when the index lists them, then each has its title and names those that changed it', () => {
  const folder = 'docs/decisions'
  const decisions = pages
    .filter((page) => /^docs\/decisions\/\d{4}-/.test(page))
    .map((page) => basename(page))
  const lines = decisions.map((name) => {
    const [heading, , note] = textOf(join(folder, name)).split('\n')
    const [, number, title] = /^# (\d{4}):? (.+)$/.exec(heading!)!
    assert.equal(number, name.slice(0, 4), name)
    const changes = note!.startsWith('Changed by ') ? [...note!.matchAll(/\[(\d{4})\]\(/g)] : []
    const numbers = changes.map(([, later]) => later!)
    assert.ok(!numbers.includes(number!), `${name} is changed by itself`)
    const list = numbers.join(', ').replace(/, (?=\d+$)/, ' and ')
    return `- ${number}: [${title}](${name})${list && `, changed by ${list}`}`
  })
  const index = textOf(join(folder, 'README.md')).split('\n')
  assert.deepEqual(index.filter((line) => line.startsWith('- ')).sort(), lines.sort())
})

/** What fetches packages of others, up to the end of the command, and the names under which ours are not published. */
const FETCHES =
  /\b(?:npx|bunx|uvx|npm (?:exec|x|i|install|add|view)|(?:pnpm|yarn|bun) (?:global )?(?:add|dlx|x)|pip3? install|pipx (?:run|install)|uv (?:add|pip install|tool (?:run|install))|go (?:get|install)|docker pull)\b([^|&;\n`]*)/g
const UNPUBLISHED =
  /^["']?(?:@meadow\/[\w-]+|meadow(?:-client|-server|-mcp|-conformance)?)(?:@[\w.-]*)?["']?$/

const listFetched = (text: string): string[] =>
  [
    ...[...text.matchAll(FETCHES)].filter(([, words]) =>
      words!.split(/[\s,]+/).some((word) => UNPUBLISHED.test(word)),
    ),
    // The arguments of a program, as JSON, TOML and YAML have them.
    ...text.matchAll(/["']@meadow\/[\w-]+(?:@[\w.-]*)?["'], *["']/g),
  ].map(([line]) => line.trim())

test('given pages and what runs in CI, then no line fetches a package under a name that anybody could publish', () => {
  // These come true with the first release: until then the names belong to nobody.
  const read = files.filter(
    (file) => /\.(md|ya?ml|sh|json|toml|ts)$/.test(file) && !/\.test\.ts$|package(-lock)?\.json$/.test(file),
  )
  assert.ok(read.length > 1000)
  const lines = read.flatMap((file) => listFetched(textOf(file)).map((line) => `${file}: ${line}`))
  assert.deepEqual(lines, [])
  for (const line of [
    'npx -y @meadow/cli mcp',
    'npm install --global @meadow/cli@0.1.0',
    'echo x | npx meadow login',
    'pip install meadow-client',
    '"args": ["-y", "@meadow/cli", "mcp"]',
  ])
    assert.equal(listFetched(line).length, 1, line)
  for (const line of [
    'pip install ./sdks/python',
    'npm install yjs lib0',
    'npm i ./dist/tarballs/*.tgz && meadow ls',
    'npx -y https://meadow.example.org/downloads/meadow.tgz tree',
  ])
    assert.deepEqual(listFetched(line), [], line)
})

const specs = pages.filter((page) => page.endsWith('SPEC.md'))

/** The rules that a SPEC.md declares. */
const rulesOf = (spec: string) =>
  [...textOf(spec).matchAll(/^\W*\**([A-Z]+-\d+)\b/gm)].map(([, rule]) => rule!)

test('given a rule of a SPEC.md, then a test of the same package or feature cites it, and no other has its number there', () => {
  for (const spec of specs) {
    const below = dirname(spec)
    const tests = files
      .filter((file) => file.startsWith(below) && file.endsWith('.test.ts'))
      .map(textOf)
      .join('\n')
    const rules = rulesOf(spec)
    assert.ok(rules.length > 0, `${spec} has no numbered rules`)
    assert.equal(new Set(rules).size, rules.length, `${spec} has two rules of one number`)
    const uncited = rules.filter((rule) => !new RegExp(`\\b${rule}\\b`).test(tests))
    assert.deepEqual(uncited, [], `rules of ${spec} that no test cites`)
  }
})

test('given a test that cites rules, then each of them is written down', () => {
  const rules = new Set(specs.flatMap(rulesOf))
  const prefixes = new Set([...rules].map((rule) => rule.split('-')[0]!))
  for (const file of files.filter((file) => file.endsWith('.test.ts'))) {
    const cited = [...textOf(file).matchAll(/\btest\(\s*['"`]\[([^\]]+)/g)].flatMap(
      ([, list]) => list!.match(/\b[A-Z]+-\d+\b/g) ?? [],
    )
    const unknown = cited.filter((rule) => prefixes.has(rule.split('-')[0]!) && !rules.has(rule))
    assert.deepEqual(unknown, [], `rules that ${file} cites`)
  }
})

/** The behaviours that a newcomer reads first. */
const WALKS = [
  'A read',
  'An edit',
  'An import',
  'A solve',
  'An export',
  'A page',
  'A call of the SDK',
  'A pull',
  'A change of the API',
  'A tool call',
]

test('given the reading guide, when it lists a walk, then its files exist and are no more than its aim', () => {
  const walks = readWalks()
  assert.deepEqual(
    walks.map(({ name }) => name).filter((name) => WALKS.includes(name)),
    WALKS,
  )
  for (const { name, aim, files } of walks) {
    const missing = files.filter((file) => !existsSync(file))
    assert.deepEqual(missing, [], `files of "${name}" that do not exist`)
    assert.ok(aim !== undefined, `"${name}" does not state how many files it may list`)
    assert.ok(files.length <= aim, `"${name}" lists ${files.length} files, and may list ${aim}`)
  }
})

test('given a page, when its walks are read, then prose, other lists and repeated files do not count', () => {
  const page = [
    '# Reading guide',
    'Start at `apps/server/src/main.ts`.',
    '## A read (at most 12 files)',
    'The way of `GET /folders/{id}`, not through `apps/web/src/main.tsx`.',
    '1. `apps/server/src/app.ts`: calls `listen()`, then',
    '   `apps/server/src/http/serve.ts:12`.',
    '2. `apps/server/src/app.ts` once more.',
    '',
    'Beside it: `apps/server/src/config.ts`.',
    '- `apps/server/src/service.ts`',
    '## Words',
    'None.',
  ].join('\n')
  assert.deepEqual(parseWalks(page), [
    { name: 'A read', aim: 12, files: ['apps/server/src/app.ts', 'apps/server/src/http/serve.ts'] },
  ])
})
