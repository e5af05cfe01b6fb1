import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { reasonOf } from '../../platform/system-errors.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { type Found, MAX_DEPTH, walkFiles } from './walk-files.ts'

const describe = (found: Found): string => {
  switch (found.kind) {
    case 'folder':
      return `folder ${found.folder.path}`
    case 'unreadable':
      return `unreadable ${found.path}: ${reasonOf(found.error)}`
    case 'link':
      return `link ${found.path} to ${found.to}`
    case 'file':
      return `${found.fileKind} ${found.path}`
    default:
      return `${found.kind} ${found.path}`
  }
}

const walk = async (root: string): Promise<string[]> =>
  (await Array.fromAsync(walkFiles(root), describe)).sort()

test('given a tree, when it is walked, then folders and files are found by their kinds, whatever the case of the extension', async (t) => {
  const root = await createFolder(t, {
    'a.gh': '',
    'b/c/d.GHX': '',
    'b/e.3dm': '',
    'b/f.GhUser': '',
    'b/i.ghcluster': '',
    'b/j.3dmbak': '',
    'b/g.gh/h.Gh': '',
  })
  await mkdir(join(root, 'empty'))
  assert.deepEqual(await walk(root), [
    'cluster b/i.ghcluster',
    'definition a.gh',
    'definition b/c/d.GHX',
    'definition b/g.gh/h.Gh',
    'folder ',
    'folder b',
    'folder b/c',
    'folder b/g.gh',
    'folder empty',
    'model b/e.3dm',
    'other b/j.3dmbak',
    'user_object b/f.GhUser',
  ])
})

test('given a tree, when it is walked, then a folder comes before its contents', async (t) => {
  const root = await createFolder(t, { 'a/b/c/d.gh': '', 'a/e.gh': '', 'a/b/f.gh': '' })
  const seen = new Set<unknown>([undefined])
  for await (const found of walkFiles(root)) {
    if (found.kind === 'folder') {
      assert.ok(seen.has(found.folder.parent))
      seen.add(found.folder)
    } else if (found.kind === 'file') {
      assert.ok(seen.has(found.folder))
    }
  }
})

test('given hidden files and folders, when the tree is walked, then they are left out', async (t) => {
  const root = await createFolder(t, { '._a.gh': '', '.git/b.gh': '', '.gh': '' })
  assert.deepEqual(await walk(root), ['folder '])
})

test('given links, when the tree is walked, then those to files below the root are followed, and no others', async (t) => {
  const folder = await createFolder(t, { 'root/a/b.gh': '', 'root.gh': '' })
  const root = join(folder, 'root')
  await symlink('../root.gh', join(root, 'outside.gh'))
  await symlink('outside.gh', join(root, 'far.gh'))
  await symlink('..', join(root, 'a', 'round'))
  await symlink('a', join(root, 'to-a'))
  await symlink('a/b.gh', join(root, 'c.gh'))
  await symlink('nowhere', join(root, 'd.gh'))
  await symlink('e.gh', join(root, 'e.gh'))
  await symlink('nowhere', join(root, 'f'))
  assert.deepEqual(await walk(root), [
    'definition a/b.gh',
    'definition c.gh',
    'folder ',
    'folder a',
    'link a/round to folder',
    'link far.gh to outside',
    'link outside.gh to outside',
    'link to-a to folder',
    'other f',
    'unreadable d.gh: it does not exist',
    'unreadable e.gh: its link leads in a circle',
  ])
})

test('given a missing folder, when it is walked, then that is reported', async (t) => {
  const root = await createFolder(t, { 'a.gh': '' })
  assert.deepEqual(await walk(join(root, 'none')), ['unreadable : it does not exist'])
})

test('given a folder without permission to open it, when the tree is walked, then the rest is found', {
  skip: process.getuid?.() === 0 && 'root may open everything',
}, async (t) => {
  const root = await createFolder(t, { 'a/b.gh': '', 'c.gh': '' })
  await chmod(join(root, 'a'), 0)
  atEnd(t, () => chmod(join(root, 'a'), 0o700))
  assert.deepEqual(await walk(root), ['definition c.gh', 'folder ', 'unreadable a: permission denied'])
})

test('given a name that is not UTF-8, when the tree is walked, then it is reported and the rest is found', {
  skip: process.platform !== 'linux' && 'names are text on this system',
}, async (t) => {
  const root = await createFolder(t, { 'a.gh': '' })
  execFileSync('sh', ['-c', `touch "$(printf 'caf\\351.gh')" && mkdir "$(printf 'dir\\351')"`], { cwd: root })
  assert.deepEqual(
    await walk(root),
    [
      'definition a.gh',
      'folder ',
      'unreadable dir\ufffd: its name is not valid UTF-8: give it another name',
      'unreadable caf\ufffd.gh: its name is not valid UTF-8: give it another name',
    ].sort(),
  )
})

test('given folders nested too deep, when the tree is walked, then it stops there and reports it', async (t) => {
  const deep = Array.from({ length: MAX_DEPTH + 2 }, () => 'd').join('/')
  const root = await createFolder(t, { [`${deep}/a.gh`]: '', 'b.gh': '' })
  const found = await walk(root)
  assert.equal(found.filter((line) => line.startsWith('folder')).length, MAX_DEPTH + 1)
  assert.equal(found.filter((line) => line.includes(`more than ${MAX_DEPTH} folders deep`)).length, 1)
  assert.ok(found.includes('definition b.gh'))
})
