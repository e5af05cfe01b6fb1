import type { GraphContent, PortReference } from '@meadow/document'
import type { Chunk } from '../archive/archive.ts'
import { sameJson } from './compare/same-json.ts'
import { readNote, writeNote } from './own-notes.ts'

type Configuration = GraphContent['configuration']

/**
 * Grasshopper has no pinned ports: they follow from groups and inputs for callers (`readConfiguration`). What a
 * document says beyond that is noted: the ports in order, and those that groups tell of but are not pinned.
 */
const NOTES = {
  inputs: { pinned: 'Meadow.PinnedInputs', unpinned: 'Meadow.UnpinnedInputs' },
  outputs: { pinned: 'Meadow.PinnedOutputs', unpinned: 'Meadow.UnpinnedOutputs' },
} as const
const SIDES = ['inputs', 'outputs'] as const

/** The pinned ports, given those that groups tell of. */
export function readPins(definition: Chunk, told: Configuration): Configuration {
  return { inputs: readSide(definition, 'inputs', told), outputs: readSide(definition, 'outputs', told) }
}

function readSide(definition: Chunk, side: keyof Configuration, told: Configuration): PortReference[] {
  const { pinned, unpinned } = NOTES[side]
  const [listed, others] = [pinned, unpinned].map((name) => readNote(definition, name).flatMap(parse))
  const known = new Set([...(listed ?? []), ...(others ?? [])].map(({ portInstanceId }) => portInstanceId))
  return [...(listed ?? []), ...told[side].filter(({ portInstanceId }) => !known.has(portInstanceId))]
}

/** Notes what the document says beyond what groups tell. */
export function writePins(definition: Chunk, told: Configuration, wanted: Configuration): void {
  for (const side of SIDES) {
    if (sameJson(readPins(definition, told)[side], wanted[side])) continue
    const pinned = new Set(wanted[side].map(({ portInstanceId }) => portInstanceId))
    const unpinned = told[side].filter(({ portInstanceId }) => !pinned.has(portInstanceId))
    const isTold = sameJson(told[side], wanted[side])
    writeNote(definition, NOTES[side].pinned, isTold ? [] : wanted[side].map(format))
    writeNote(definition, NOTES[side].unpinned, isTold ? [] : unpinned.map(format))
  }
}

const format = ({ nodeInstanceId, portInstanceId }: PortReference) => `${nodeInstanceId}/${portInstanceId}`

function parse(pair: string): PortReference[] {
  const [nodeInstanceId, portInstanceId, ...more] = pair.split('/')
  if (!nodeInstanceId || !portInstanceId || more.length > 0) return []
  return [{ nodeInstanceId, portInstanceId }]
}
