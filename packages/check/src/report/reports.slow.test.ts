import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { SaxesParser } from 'saxes'
import { withoutCheck } from '../../../../checks/load.ts'
import { RULE_IDS } from '../config/rules.ts'
import { createCheckFolder } from '../testing/check-folder.ts'
import {
  assertTrue,
  booleans,
  buildDefinition,
  division,
  numbers,
  script,
  texts,
} from '../testing/definitions.ts'
import { writeJunit } from './junit.ts'
import { writeMarkdown } from './markdown.ts'
import { writeSarif } from './sarif.ts'

const SARIF_SCHEMA = new URL(
  '../../../../checks/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  import.meta.url,
)

const NASTY = 'a < "b" & \'c\' ]]> \u0001 \ud83d\ude00 Grün'

/** A run with everything that reports show. */
async function runAll(t: Parameters<typeof createCheckFolder>[0], options = {}) {
  const { check } = createCheckFolder(t, {
    'broken.gh': 'no definition',
    'plain.gh': buildDefinition([texts(1, ['C:\\a'], { nickName: NASTY })]),
    'test_fails.gh': buildDefinition([
      booleans(1, [true, false]),
      assertTrue(2, [1], { nickName: NASTY }),
      assertTrue(3, [1], { nickName: NASTY, isLocked: true }),
      numbers(4, [0]),
      division(10, 4, 4),
    ]),
    'test_unknown.gh': buildDefinition([script(1), assertTrue(9, [3])]),
  })
  return check(options)
}

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

/** Throws for XML that is not well-formed. */
function parseXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('error', (error) => assert.fail(error.message))
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: '' }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    open.at(-1)!.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return root.children[0]!
}

test('[CHK-12] given a run, when it is written as JUnit, then each definition is a suite, each assert a case, and the counts are those of the cases', async (t) => {
  const xml = parseXml(writeJunit(await runAll(t)))
  const cases = xml.children.flatMap((suite) => suite.children.filter(({ name }) => name === 'testcase'))
  const outcomes = cases.map(({ attributes, children }) => [
    attributes.classname,
    attributes.name!.replace(NASTY.replace('\u0001', '\ufffd'), 'NASTY'),
    children[0]?.name ?? 'passed',
  ])
  assert.deepEqual(outcomes, [
    ['broken.gh', 'rules and budgets', 'error'],
    ['plain.gh', 'rules and budgets', 'passed'],
    ['test_fails.gh', 'runs without errors', 'failure'],
    ['test_fails.gh', 'NASTY', 'failure'],
    ['test_fails.gh', 'NASTY (00000000-0000-4000-8000-000000000003)', 'skipped'],
    ['test_unknown.gh', 'runs without errors', 'error'],
    ['test_unknown.gh', 'AT', 'error'],
  ])
  const { tests, failures, errors, skipped } = xml.attributes
  assert.deepEqual([tests, failures, errors, skipped], ['7', '2', '3', '1'])
  for (const suite of xml.children) {
    const own = suite.children.filter(({ name }) => name === 'testcase')
    const count = (kind: string) => String(own.filter(({ children }) => children[0]?.name === kind).length)
    assert.deepEqual(
      [suite.attributes.tests, suite.attributes.failures, suite.attributes.errors, suite.attributes.skipped],
      [String(own.length), count('failure'), count('error'), count('skipped')],
    )
  }
  const plain = xml.children.find(({ attributes }) => attributes.name === 'plain.gh')
  assert.match(plain!.children.at(-1)!.text, /absolute-path: a < "b" & 'c' \]\]> \ufffd 😀 Grün/)
})

test('[CHK-12] given what is not known and is allowed, when it is written as JUnit, then it is skipped and not passed', async (t) => {
  const xml = parseXml(writeJunit(await runAll(t, { allowUnknown: true, paths: ['test_unknown.gh'] })))
  const kinds = xml.children[0]!.children.map(({ name, children }) => [name, children[0]?.name])
  assert.deepEqual(kinds, [
    ['testcase', 'skipped'],
    ['testcase', 'skipped'],
    ['system-out', undefined],
  ])
})

test('[CHK-13] given a run, when it is written as SARIF, then the schema of SARIF 2.1.0 holds, and each finding is a result at its file and node', {
  skip: withoutCheck('@microsoft/jest-sarif'),
}, async (t) => {
  const report = await runAll(t)
  const log = JSON.parse(writeSarif(report, { version: '1.2.3', helpUri: 'https://example.org/check.md' }))
  // Written for draft 4, of which it uses nothing that newer ones lack, apart from the names of these members.
  const { id: _, $schema: __, ...schema } = JSON.parse(readFileSync(SARIF_SCHEMA, 'utf8'))
  const validate = addFormats.default(new Ajv({ strict: false, unicodeRegExp: false })).compile(schema)
  assert.equal(validate(structuredClone(log)), true, JSON.stringify(validate.errors))
  assert.equal(validate({ ...log, version: '2.0.0' }), false)
  const { results, tool } = log.runs[0]
  const findings = report.files.flatMap((file) => file.findings)
  assert.deepEqual([results.length, tool.driver.rules.length], [findings.length, RULE_IDS.length])
  for (const { ruleId, ruleIndex } of results) assert.equal(tool.driver.rules[ruleIndex].id, ruleId)
  const failed = results.find(({ ruleId }: { ruleId: string }) => ruleId === 'test-failed')
  assert.equal(failed.locations[0].physicalLocation.artifactLocation.uri, 'test_fails.gh')
  assert.equal(failed.locations[0].logicalLocations[0].properties.component, 'Division')
  const keys = results.map(({ partialFingerprints }: { partialFingerprints: object }) =>
    JSON.stringify(partialFingerprints),
  )
  assert.equal(new Set(keys).size, keys.length)
})

test('[CHK-13] given names that are markup, when a run is written as Markdown, then they are text in their cells', async (t) => {
  const markdown = writeMarkdown(await runAll(t))
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'))
  for (const row of rows) {
    const cells = row.split(/(?<!\\)\|/).length - 2
    assert.ok(cells === 3 || cells === 5, row)
  }
  assert.match(markdown, /^## ❌ meadow check$/m)
  assert.match(markdown, /a &lt; "b" &amp; 'c'/)
  assert.doesNotMatch(markdown, /[^\\]\]\]>/)
})
