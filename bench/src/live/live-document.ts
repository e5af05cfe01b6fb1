import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { GraphContent } from '@meadow/contract'
import {
  addNodes,
  createLiveDocument,
  createNode,
  encodeLiveDocument,
  openLiveProjector,
  openUpdateCheck,
  setSlider,
} from '@meadow/document/live'
import * as Y from 'yjs'
import { median, percentile, time } from '../harness/statistics.ts'
import { createGraph, SLIDER, slidersOf } from './edited-team.ts'

/** The cost of a live document without server, socket and database. Times are medians in milliseconds. */
export interface LiveDocumentFigures {
  nodes: number
  jsonBytes: number
  /** The time to encode a content as the first update of its live document. */
  beginMs: number
  loadMs: number
  readMs: number
  editAndReadMs: number
  addNodeAndReadMs: number
  checkMs: number
  checkP99Ms: number
  applyMs: number
  /** The memory of the Yjs document of one open document. `readerBytes` is the memory of its reader. */
  documentBytes: number
  readerBytes: number
}

const NODES = 2_000
const SLIDERS = 100
const REPETITIONS = 200
const OPEN = 20

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

process.stdout.write(JSON.stringify(measure(createGraph(NODES, SLIDERS))))

function measure(content: GraphContent): LiveDocumentFigures {
  const update = encodeLiveDocument(content)
  const load = () => {
    const doc = new Y.Doc()
    Y.applyUpdate(doc, update)
    return doc
  }
  const doc = createLiveDocument(content)
  const reader = openLiveProjector(doc)
  const read = () => Buffer.from(reader.readJson().join(''))
  const sliders = slidersOf(content)
  const set = (edited: Y.Doc, number: number) => setSlider(edited, sliders[number % SLIDERS]!, Math.random())
  read()
  return {
    nodes: Object.keys(content.nodes).length,
    jsonBytes: read().length,
    beginMs: median(listTimes(10, () => encodeLiveDocument(content))),
    loadMs: median(listTimes(20, load)),
    readMs: median(listTimes(10, () => openLiveProjector(doc).readJson())),
    editAndReadMs: median(
      listTimes(REPETITIONS, (number) => {
        set(doc, number)
        read()
      }),
    ),
    addNodeAndReadMs: median(
      listTimes(50, () => {
        addNodes(doc, [createNode(SLIDER, { position: { x: 0, y: 0 } })])
        read()
      }),
    ),
    ...measureCheck(load, set),
    ...measureMemory(load),
  }
}

function measureCheck(load: () => Y.Doc, set: (doc: Y.Doc, number: number) => void) {
  const [server, editor] = [load(), load()]
  const { check } = openUpdateCheck(server, { owners: new Map([[editor.clientID, 'editor']]) })
  const updates: Uint8Array[] = []
  editor.on('update', (update: Uint8Array) => updates.push(update))
  for (let number = 0; number < 10 * REPETITIONS; number++) set(editor, number)
  const applied: number[] = []
  const checked = updates.map((update) => {
    const { ms } = time(() => {
      if (check(update, 'editor').rejected) throw new Error('A valid edit is rejected.')
    })
    applied.push(time(() => Y.applyUpdate(server, update)).ms)
    return ms
  })
  return { checkMs: median(checked), checkP99Ms: percentile(checked, 0.99), applyMs: median(applied) }
}

function measureMemory(load: () => Y.Doc) {
  const before = heap()
  const docs = Array.from({ length: OPEN }, load)
  const withDocs = heap()
  const readers = docs.map((doc) => {
    const reader = openLiveProjector(doc)
    reader.readJson()
    return reader
  })
  const withReaders = heap()
  for (const reader of readers) reader.close()
  return { documentBytes: (withDocs - before) / OPEN, readerBytes: (withReaders - withDocs) / OPEN }
}

function heap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

function listTimes(repetitions: number, run: (number: number) => void): number[] {
  return Array.from({ length: repetitions }, (_, number) => time(() => run(number)).ms)
}
