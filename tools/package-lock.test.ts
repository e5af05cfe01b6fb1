import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/** A package of package-lock.json, by its folder. */
interface LockedPackage {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** The folders in which Node looks for a dependency of the package in `folder`, the nearest first. */
function foldersOf(dependency: string, folder: string): string[] {
  const parts = folder.split('/')
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
  return [...above, '']
    .filter((parent) => !parent.endsWith('node_modules'))
    .map((parent) => `${parent && `${parent}/`}node_modules/${dependency}`)
}

test('given package-lock.json, when npm ci runs on any platform, then every package that one depends on is in it', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const missing = Object.entries(packages).flatMap(([folder, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
      .filter((name) => !foldersOf(name, folder).some((place) => place in packages))
      .map((name) => `${folder} needs ${name}`),
  )
  assert.deepEqual(missing, [])
})
