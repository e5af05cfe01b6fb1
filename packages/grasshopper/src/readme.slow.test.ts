import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTower } from './testing/readme-tower.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!)
const ourselves = new URL('./index.ts', import.meta.url).href

for (const [number, code] of examples.entries()) {
  test(`given example ${number + 1} of the README, when run beside a file, then it prints what it says`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'grasshopper-readme-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'tower.gh'), createTower())
    writeFileSync(join(folder, 'example.ts'), code.replaceAll("'@meadow/grasshopper'", `'${ourselves}'`))
    const printed = execFileSync(process.execPath, ['example.ts'], { cwd: folder, encoding: 'utf8' })
    const promised = [...code.matchAll(/^ *\/\/ prints (.*)$/gm)].map(([, line]) => `${line}\n`)
    assert.equal(printed, promised.join(''))
  })
}
