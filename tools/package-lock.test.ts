import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findFolder, type LockedPackages } from './generate/pages/shipped-packages.ts'

test('given package-lock.json, when npm ci runs on any platform, then every package that one depends on is in it', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: LockedPackages
  }
  const missing = Object.entries(packages).flatMap(([folder, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
      .filter((name) => !findFolder(packages, name, folder))
      .map((name) => `${folder} needs ${name}`),
  )
  assert.deepEqual(missing, [])
})
