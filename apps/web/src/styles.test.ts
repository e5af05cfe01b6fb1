import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'

/** The classes of the library, whose names are hashes, in the files of the built app. */
const listClasses = (pattern: string) => {
  const files = globSync(pattern, { cwd: import.meta.dirname }).map(
    (file) => `${import.meta.dirname}/${file}`,
  )
  return new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/\bm_[0-9a-f]{6,}\b/g) ?? []))
}

test('[WEB-75] given the built app, when it has a component of the library, then it has its styles, and not those of all components', () => {
  const [used, styled] = [listClasses('../dist/assets/*.js'), listClasses('../dist/assets/*.css')]
  const styles = readFileSync(createRequire(import.meta.url).resolve('@mantine/core/styles.css'), 'utf8')
  const all = new Set(styles.match(/\bm_[0-9a-f]{6,}\b/g))
  assert.deepEqual(
    [...used].filter((name) => all.has(name) && !styled.has(name)),
    [],
  )
  assert.ok(styled.size > 50 && styled.size < all.size)
})
