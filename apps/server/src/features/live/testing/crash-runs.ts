import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  addNodes,
  type GraphContent,
  type LiveDocument,
  openLive,
  removeNodes,
  renameNode,
} from '@meadow/client/live'
import { createSlider } from './sliders.ts'

/** A server that can be killed. */
export interface KillableServer {
  address: string
  /** Without a warning, like a power failure. Resolves when the process has ended. */
  kill(): Promise<void>
}

export interface CrashRun {
  documentId: string
  cookie: string
  start(): Promise<KillableServer>
  kills: number
  editors: number
  /** Called after each kill with the number of edits acknowledged in that run, and those that are missing. */
  onKilled(acknowledged: number, missing: readonly string[]): void
}

/** The acknowledged state: the names of nodes by their ids; undefined for removed nodes. */
type Known = Map<string, string | undefined>

/** The longest time between the first acknowledgement and the kill. */
const LONGEST_MS = 150
/** Nothing waits for so long for the first acknowledgement but what fails. */
const FIRST_MS = 30_000

/**
 * Kills a server at random moments while several clients edit, starts it again, and compares the acknowledged edits with
 * the document that a new client receives: the other clients would send lost edits again. Returns the document.
 */
export async function runCrashes(run: CrashRun): Promise<GraphContent> {
  const known: Known = new Map()
  let server = await run.start()
  const open = () =>
    openLive({ address: server.address, documentId: run.documentId, cookie: run.cookie, timeoutMs: 30_000 })
  for (let kill = 0; kill < run.kills; kill++) {
    const editors = await Promise.all(Array.from({ length: run.editors }, open))
    const begun = Promise.withResolvers<void>()
    const killed = Promise.withResolvers<void>()
    // Every other time at the moment of an acknowledgement.
    const killAt = kill % 2 === 0 ? randomInt(1, 40) : Number.POSITIVE_INFINITY
    let acknowledged = 0
    const onAcknowledged = () => {
      begun.resolve()
      if (++acknowledged === killAt) killed.resolve(server.kill())
    }
    const stopped = new AbortController()
    const edits = editors.map((live) => edit(live, known, stopped.signal, onAcknowledged))
    const late = sleep(FIRST_MS, undefined, { ref: false }).then(() => {
      throw new Error(`No edit was acknowledged within ${FIRST_MS / 1000} s.`)
    })
    await Promise.race([begun.promise, late])
    await Promise.race([killed.promise, sleep(randomInt(5, LONGEST_MS))])
    await server.kill()
    stopped.abort()
    for (const live of editors) live.close()
    await Promise.all(edits)

    server = await run.start()
    const reader = await open()
    run.onKilled(acknowledged, listMissing(known, reader.read()))
    reader.close()
  }
  const last = await open()
  const content = last.read()
  last.close()
  await server.kill()
  return content
}

/** Adds, renames and removes its own nodes until it is stopped; records what is acknowledged. */
async function edit(live: LiveDocument, known: Known, signal: AbortSignal, onAcknowledged: () => void) {
  const own: string[] = []
  for (let count = 0; !signal.aborted; count++) {
    const slider = { ...createSlider(), nickName: `first ${count}` }
    const id = own.length > 3 && count % 3 === 0 ? own[randomInt(own.length)]! : undefined
    const name = `name ${count}`
    const isRemoval = id !== undefined && count % 6 === 0
    live.edit((doc) => {
      if (id === undefined) addNodes(doc, [slider])
      else if (isRemoval) removeNodes(doc, [id])
      else renameNode(doc, id, name)
    })
    if (id === undefined) own.push(slider.instanceId)
    if (isRemoval) own.splice(own.indexOf(id), 1)
    // Until it is acknowledged, an edit may or may not be stored.
    if (id !== undefined) known.delete(id)
    try {
      await live.durable()
    } catch {
      return
    }
    known.set(id ?? slider.instanceId, isRemoval ? undefined : id === undefined ? slider.nickName : name)
    onAcknowledged()
  }
}

const listMissing = (known: Known, { nodes }: GraphContent): string[] =>
  [...known].flatMap(([id, name]) => (nodes[id]?.nickName === name ? [] : [id]))
