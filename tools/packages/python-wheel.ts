import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'

/** A file that pip installs. */
export interface Wheel {
  name: string
  bytes: Uint8Array
}

/** The oldest time that a ZIP file can hold. It has no zone, so that it is the same everywhere. */
const TIME = new Date(1980, 0, 1)

/**
 * Builds the wheel of a Python package without Python: its modules below `src` and what pyproject.toml says of it. The
 * bytes depend on nothing else. Throws when pyproject.toml lacks what a wheel needs.
 */
export function buildWheel(folder: string): Wheel {
  const files = new Map<string, Uint8Array>()
  for (const path of globSync('**/*.{py,typed}', { cwd: join(folder, 'src') }).sort())
    files.set(path.replaceAll('\\', '/'), readFileSync(join(folder, 'src', path)))
  const project = readFileSync(join(folder, 'pyproject.toml'), 'utf8')
  const name = readKey(project, 'name')
  const [, version] = /^VERSION = "(.*)"$/m.exec(
    readFileSync(join(folder, `src/${name}/_version.py`), 'utf8'),
  )!
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const info = `${name}-${version}.dist-info`
  const add = (file: string, text: string) => files.set(`${info}/${file}`, Buffer.from(text))
  add('METADATA', describe(project, version!, readme))
  add('WHEEL', 'Wheel-Version: 1.0\nGenerator: meadow\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
  const records = [...files].map(
    ([path, bytes]) => `${path},sha256=${hash('sha256', bytes, 'base64url')},${bytes.length}\n`,
  )
  add('RECORD', `${records.join('')}${info}/RECORD,,\n`)
  return {
    name: `${name}-${version}-py3-none-any.whl`,
    bytes: zipSync(Object.fromEntries(files), { level: 9, mtime: TIME }),
  }
}

/** Returns the core metadata of a package, version 2.1, with its README as the description. */
function describe(project: string, version: string, readme: string): string {
  const [, extras = ''] = /^\[project\.optional-dependencies\]\n((?:.+\n)*)/m.exec(project) ?? []
  const required = [...extras.matchAll(/^(\w+) = \["(.*)"\]$/gm)].flatMap(([, extra, requirement]) => [
    `Provides-Extra: ${extra}`,
    `Requires-Dist: ${requirement}; extra == "${extra}"`,
  ])
  const listOf = (key: string) => {
    const [, items = ''] = new RegExp(`^${key} = \\[(.*?)\\]$`, 'ms').exec(project) ?? []
    return [...items.matchAll(/"([^"]*)"/g)].map(([, item]) => item!)
  }
  const [, license] = /^license = \{ text = "(.*)" \}$/m.exec(project)!
  const lines = [
    'Metadata-Version: 2.1',
    `Name: ${readKey(project, 'name')}`,
    `Version: ${version}`,
    `Summary: ${readKey(project, 'description')}`,
    `License: ${license}`,
    ...listOf('classifiers').map((each) => `Classifier: ${each}`),
    `Requires-Python: ${readKey(project, 'requires-python')}`,
    ...listOf('dependencies').map((each) => `Requires-Dist: ${each}`),
    ...required,
    'Description-Content-Type: text/markdown',
  ]
  return `${lines.join('\n')}\n\n${readme}`
}

function readKey(project: string, key: string): string {
  const [, value] = new RegExp(`^${key} = "(.*)"$`, 'm').exec(project) ?? []
  if (value === undefined) throw new Error(`sdks/python/pyproject.toml has no line ${key} = "…".`)
  return value
}
