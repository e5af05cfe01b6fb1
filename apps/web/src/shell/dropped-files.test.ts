import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DroppedFile, readDropped, sortDropped } from './dropped-files.ts'

const dropped = (...paths: string[]): DroppedFile[] =>
  paths.map((path) => {
    const names = path.split('/')
    return { file: new File([], names.at(-1)!), folders: names.slice(0, -1) }
  })
const pathOf = ({ file, folders }: DroppedFile) => [...folders, file.name].join('/')

test('[WEB-70, WEB-86] given files of all kinds, when they are dropped, then definitions, models and library items are taken, and the others are refused by name', () => {
  const mixed = sortDropped(
    dropped('a.gh', 'B.GHX', 'c.3dm', 'Site/d.ghuser', 'Site/e.gh', 'f.GHCLUSTER', 'g.3dm.bak', 'Site/h.dwg'),
  )
  assert.deepEqual(mixed.accepted.map(pathOf), [
    'a.gh',
    'B.GHX',
    'c.3dm',
    'Site/d.ghuser',
    'Site/e.gh',
    'f.GHCLUSTER',
  ])
  const sentence = 'Only .gh, .ghx, .3dm, .ghuser, .ghcluster, .txt and .csv files can be imported. Left out'
  assert.equal(mixed.refusal, `${sentence}: g.3dm.bak and Site/h.dwg.`)
  const many = sortDropped(dropped('1.png', '2.png', '3.png', '4.png', '5.png'))
  assert.deepEqual(many.accepted, [])
  assert.equal(many.refusal, `${sentence}: 1.png, 2.png, 3.png, and 2 others.`)
  assert.equal(sortDropped(dropped('a.gh')).refusal, undefined)
})

/** An entry as a browser gives it: a name is a file, a list a folder, whose children come in parts of two. */
type Tree = string | [name: string, children: Tree[]]

function toEntry(tree: Tree): FileSystemEntry {
  if (typeof tree === 'string') {
    const file = (give: (file: File) => void) => give(new File([], tree))
    return { isFile: true, name: tree, file } as unknown as FileSystemEntry
  }
  const [name, children] = tree
  const createReader = () => {
    const left = children.map(toEntry)
    return { readEntries: (give: (part: FileSystemEntry[]) => void) => give(left.splice(0, 2)) }
  }
  return { isFile: false, name, createReader } as unknown as FileSystemEntry
}

test('[WEB-70] given dropped folders, when they are read, then all their files are found with their folders, and hidden ones are left out', async () => {
  const trees: Tree[] = [
    'a.gh',
    ['Tower', ['b.gh', '.DS_Store', 'c.gh', ['Roof', ['d.gh', 'e.gh', 'f.ghx']], 'g.gh']],
  ]
  const items = trees.map((tree) => ({ webkitGetAsEntry: () => toEntry(tree) }))
  const files = await readDropped({ items, files: [] } as unknown as DataTransfer)
  assert.deepEqual(files.map(pathOf).sort(), [
    'Tower/Roof/d.gh',
    'Tower/Roof/e.gh',
    'Tower/Roof/f.ghx',
    'Tower/b.gh',
    'Tower/c.gh',
    'Tower/g.gh',
    'a.gh',
  ])
})
