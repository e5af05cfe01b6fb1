import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** The numbers of the requirements of levels 1 and 2 in each section of ASVS 5.0.0. */
const SECTIONS: Readonly<Record<string, readonly number[]>> = {
  '1.1': [1, 2],
  '1.2': [1, 2, 3, 4, 5, 6, 7, 8, 9],
  '1.3': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '1.4': [1, 2, 3],
  '1.5': [1, 2],
  '2.1': [1, 2, 3],
  '2.2': [1, 2, 3],
  '2.3': [1, 2, 3, 4],
  '2.4': [1],
  '3.2': [1, 2],
  '3.3': [1, 2, 3, 4],
  '3.4': [1, 2, 3, 4, 5, 6],
  '3.5': [1, 2, 3, 4, 5],
  '3.7': [1, 2],
  '4.1': [1, 2, 3],
  '4.2': [1],
  '4.3': [1, 2],
  '4.4': [1, 2, 3, 4],
  '5.1': [1],
  '5.2': [1, 2, 3],
  '5.3': [1, 2],
  '5.4': [1, 2, 3],
  '6.1': [1, 2, 3],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  '6.3': [1, 2, 3, 4],
  '6.4': [1, 2, 3, 4],
  '6.5': [1, 2, 3, 4, 5],
  '6.6': [1, 2, 3],
  '6.8': [1, 2, 3, 4],
  '7.1': [1, 2, 3],
  '7.2': [1, 2, 3, 4],
  '7.3': [1, 2],
  '7.4': [1, 2, 3, 4, 5],
  '7.5': [1, 2],
  '7.6': [1, 2],
  '8.1': [1, 2],
  '8.2': [1, 2, 3],
  '8.3': [1],
  '8.4': [1],
  '9.1': [1, 2, 3],
  '9.2': [1, 2, 3, 4],
  '10.1': [1, 2],
  '10.2': [1, 2],
  '10.3': [1, 2, 3, 4],
  '10.4': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  '10.5': [1, 2, 3, 4, 5],
  '10.6': [1, 2],
  '10.7': [1, 2, 3],
  '11.1': [1, 2],
  '11.2': [1, 2, 3],
  '11.3': [1, 2, 3],
  '11.4': [1, 2, 3, 4],
  '11.5': [1],
  '11.6': [1],
  '12.1': [1, 2, 3],
  '12.2': [1, 2],
  '12.3': [1, 2, 3, 4],
  '13.1': [1],
  '13.2': [1, 2, 3, 4, 5],
  '13.3': [1, 2],
  '13.4': [1, 2, 3, 4, 5],
  '14.1': [1, 2],
  '14.2': [1, 2, 3, 4],
  '14.3': [1, 2, 3],
  '15.1': [1, 2, 3],
  '15.2': [1, 2, 3],
  '15.3': [1, 2, 3, 4, 5, 6, 7],
  '16.1': [1],
  '16.2': [1, 2, 3, 4, 5],
  '16.3': [1, 2, 3, 4],
  '16.4': [1, 2, 3],
  '16.5': [1, 2, 3],
  '17.1': [1],
  '17.2': [1, 2, 3, 4],
  '17.3': [1, 2],
}

const STATES = ['holds', 'operator', 'open', 'not used']

interface Row {
  requirements: string[]
  state: string
  how: string
}

const rows: Row[] = [
  ...readFileSync('docs/asvs.md', 'utf8').matchAll(/^\| (\d[^|]*) \| ([^|]+) \| (.+) \|$/gm),
].map(([, requirements = '', state = '', how = '']) => ({
  requirements: requirements.split(', '),
  state,
  how,
}))

/** What opens a connection, or loads what does. */
const CALLS =
  /\bfetch\(|\b(?:open|post)Outbound\(|\brequest as \w+[^;]*from 'node:https?'|\b(?:Resolver|lookup)\b.*'node:dns|from 'node:(?:tls|http2|dgram)'|\b(?:connect|createConnection)\b.*'node:net'|^import pg from 'pg'|import\('(?:nodemailer|openid-client|@aws-sdk\/credential-provider-node|@opentelemetry\/exporter-[\w-]+)'\)/m

const RULE = /\b[A-Z]{2,}\d?-\d+\b/g
/** They look like rules. */
const STANDARDS = /^(?:SHA|HMAC|ASVS|RFC)-/

test('given the requirements of ASVS 5.0 in levels 1 and 2, when the page goes through them, then each is there once', () => {
  const expected = Object.entries(SECTIONS).flatMap(([section, numbers]) =>
    numbers.map((number) => `${section}.${number}`),
  )
  const listed = rows.flatMap(({ requirements }) => requirements)
  assert.deepEqual([...listed].sort(), [...expected].sort())
})

test('given a row of the page, when it says that a requirement holds, then by rules that have a test, or with the reason why there is none', () => {
  const tests = globSync(['{apps,packages,deploy,tools}/**/*.test.ts'], { exclude: ['**/node_modules/**'] })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  for (const { requirements, state, how } of rows) {
    const name = requirements.join(', ')
    assert.ok(STATES.includes(state), `${name} has the state "${state}"`)
    const rules = (how.match(RULE) ?? []).filter((rule) => !STANDARDS.test(rule))
    const untested = rules.filter((rule) => !new RegExp(`\\[[^\\]]*\\b${rule}\\b`).test(tests))
    assert.deepEqual(untested, [], `rules of ${name} that no test cites`)
    if (state === 'holds')
      assert.ok(
        rules.length > 0 || /by design: .{10}|\]\(/.test(how),
        `${name} says neither a rule nor a reason`,
      )
    else assert.ok(how.trim() !== '', `${name} is ${state} without a reason`)
  }
})

test('given the code of the service, when it opens connections, then the threat model says where, to what, and who gives the address', () => {
  const files = globSync(
    ['apps/server/src/**/*.ts', 'packages/{drawing,geometry,model,processes,solver}/src/**/*.ts'],
    {
      exclude: ['**/testing/**', '**/*.test.ts'],
    },
  )
  const calling = files.filter((file) => CALLS.test(readFileSync(file, 'utf8')))
  const [, section = ''] = readFileSync('docs/threat-model.md', 'utf8').split('### What the service calls')
  const listed = [...section.split('\n## ')[0]!.matchAll(/\]\(\.\.\/([^)]+\.ts)\)/g)].map(([, file]) => file)
  assert.deepEqual(listed.sort(), calling.sort())
})
