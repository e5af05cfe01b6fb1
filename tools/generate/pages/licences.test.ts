import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLicences } from './licences.ts'

const MIT = { license: 'MIT' }

test('[GEN-5] given packages, when their licences are listed, then each is named under its licence, what is for development apart', () => {
  const page = describeLicences({
    '': MIT,
    'apps/server': {},
    'node_modules/@meadow/server': { link: true },
    'node_modules/zlib-like': { license: '(MIT AND Zlib)' },
    'node_modules/b': MIT,
    'node_modules/b/node_modules/@scope/a': MIT,
    'node_modules/either': { license: '(GPL-3.0-only OR MIT)' },
    'node_modules/tool': { license: 'MPL-2.0', dev: true },
  })
  const [, shipped, development] = page.split('\n## ')
  assert.match(shipped!, /\*\*MIT:\*\* @scope\/a, b\n/)
  assert.match(shipped!, /\*\*\(MIT AND Zlib\):\*\* zlib-like/)
  assert.doesNotMatch(page, /@meadow/)
  assert.match(development!, /\*\*MPL-2\.0:\*\* tool/)
})

test('[GEN-5] given a licence that is unknown, missing or asks to open what is built on it, then the page cannot be written, and the package is named', () => {
  for (const license of [
    'GPL-3.0-only',
    'MPL-2.0',
    'AGPL-3.0-or-later',
    'SEE LICENSE IN x',
    '(MIT AND LGPL-2.1)',
  ])
    assert.throws(
      () => describeLicences({ 'node_modules/good': MIT, 'node_modules/bad': { license } }),
      ({ message }: Error) => message.includes(`bad (${license})`) && !message.includes('good'),
    )
  assert.throws(() => describeLicences({ 'node_modules/bad': {} }), /bad \(none that is stated\)/)
  assert.throws(() => describeLicences({ 'node_modules/bad': { license: 'GPL-2.0', dev: true } }), /bad/)
})

test('[GEN-5] given libraries of the web app, when licences are listed, then those in its files are shipped, its tools not', () => {
  const page = describeLicences({
    'apps/web': { devDependencies: { drawing: '1.0.0', vite: '1.0.0', '@meadow/client': '0.1.0' } },
    'node_modules/@meadow/client': { link: true, dev: true },
    'node_modules/drawing': { ...MIT, dev: true, dependencies: { below: '1.0.0', lines: '1.0.0' } },
    'node_modules/drawing/node_modules/below': { ...MIT, dev: true },
    'node_modules/below': { license: 'ISC', dev: true },
    'node_modules/lines': { ...MIT, dev: true, peerDependencies: { drawing: '1.0.0' } },
    'node_modules/vite': { license: 'ISC', dev: true },
  })
  const [, shipped, development] = page.split('\n## ')
  assert.match(shipped!, /\*\*MIT:\*\* below, drawing, lines\n/)
  assert.doesNotMatch(shipped!, /vite/)
  assert.match(development!, /\*\*ISC:\*\* below, vite\n/)
  const copyleft = {
    'apps/web': { devDependencies: { c: '1' } },
    'node_modules/c': { license: 'MPL-2.0', dev: true },
  }
  assert.throws(() => describeLicences(copyleft), /c \(MPL-2\.0\)/)
})
