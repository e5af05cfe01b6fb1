import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkRelease, listWorkspaces } from './build-packages.ts'
import { type Manifest, toPublishedManifest } from './published-manifest.ts'
import { withPythonVersion, withVersion } from './set-version.ts'

const MANIFEST: Manifest = {
  name: '@meadow/example',
  version: '1.2.3',
  description: 'An example.',
  license: 'MIT',
  exports: { '.': './src/index.ts', './live': './src/live/index.ts' },
  dependencies: { '@meadow/contract': '1.2.3', yjs: '13.6.33', rhino3dm: '8.35.0' },
}

test('[PKG-3] given a workspace, when its package.json is published, then it names compiled files and where it comes from', () => {
  const workspace = { folder: 'packages/example', manifest: MANIFEST }
  const { exports, dependencies, repository, ...others } = toPublishedManifest(
    workspace,
    'https://git.example.org/meadow',
  )
  assert.deepEqual(exports, {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './live': { types: './dist/live/index.d.ts', default: './dist/live/index.js' },
    './package.json': './package.json',
  })
  assert.deepEqual(dependencies, MANIFEST.dependencies)
  assert.deepEqual(repository, {
    type: 'git',
    url: 'git+https://git.example.org/meadow.git',
    directory: 'packages/example',
  })
  assert.equal('private' in others || 'devDependencies' in others, false)
})

test('[PKG-14] given the published packages, then each names its dependencies by exact versions', () => {
  for (const workspace of listWorkspaces()) {
    const { name, dependencies = {} } = toPublishedManifest(workspace)
    const ranges = Object.entries(dependencies).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    )
    assert.deepEqual(ranges, [], name)
  }
})

test('[PKG-9] given the workspaces, then they have one version, also where they name each other', () => {
  const manifests = listWorkspaces().map(({ manifest }) => manifest)
  const [version] = manifests.map((manifest) => manifest.version)
  for (const { name, version: own, dependencies, peerDependencies } of manifests) {
    const ours = Object.entries({ ...dependencies, ...peerDependencies }).filter(([other]) =>
      other.startsWith('@meadow/'),
    )
    assert.deepEqual([...new Set([own, ...ours.map(([, range]) => range)])], [version], name)
  }
})

test('[PKG-9] given a package.json, when the version is set, then it changes there and for our packages alone', () => {
  const before = readFileSync('packages/client/package.json', 'utf8')
  const after = JSON.parse(withVersion(before, '2.0.0-rc.1'))
  assert.equal(after.version, '2.0.0-rc.1')
  assert.equal(after.peerDependencies['@meadow/document'], '2.0.0-rc.1')
  assert.equal(after.peerDependencies.yjs, JSON.parse(before).peerDependencies.yjs)
  assert.equal(withVersion(before, JSON.parse(before).version), before)
  assert.throws(() => withVersion(before, 'next'), /"next" is not a version/)
})

test('[PKG-9] given the Python SDK, when the version is set, then it has it as Python writes it', () => {
  const before = readFileSync('sdks/python/src/meadow/_version.py', 'utf8')
  for (const [version, own] of [
    ['2.0.0', '2.0.0'],
    ['2.0.0-alpha.3', '2.0.0a3'],
    ['2.0.0-rc.1', '2.0.0rc1'],
  ] as const) {
    const after = withPythonVersion(before, version)
    assert.match(after, new RegExp(`^VERSION = "${own}"$`, 'm'))
    assert.equal(after.split('\n').length, before.split('\n').length)
    for (const page of ['README.md', 'sdks/python/README.md'])
      assert.ok(
        withPythonVersion(readFileSync(page, 'utf8'), version).includes(`/meadow-${own}-py3-none-any.whl`),
        page,
      )
  }
  assert.throws(() => withPythonVersion(before, '2.0.0-next.1'), /Python has no version/)
})

test('[PKG-9] given versions that differ, or one without a section in the changelog, when a release starts, then it says so', () => {
  const changelog = '# Changelog\n\n## 1.2.3\n'
  checkRelease(['1.2.3', '1.2.3'], changelog)
  assert.throws(() => checkRelease(['1.2.3', '1.2.4'], changelog), /these are 1\.2\.3, 1\.2\.4/)
  assert.throws(() => checkRelease(['1.2.4'], changelog), /no section "## 1\.2\.4"/)
})
