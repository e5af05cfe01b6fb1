import { type Machine, mark, milliseconds, printMachine, table } from '../harness/report.ts'
import { WORK_KINDS, type WorkKind } from './testbed/bystander.ts'
import type { AttackFigures } from './testbed/testbed.ts'

/** The figures of an attack, and the limits that it exceeded. */
export interface JudgedAttack extends AttackFigures {
  misses: string[]
  /** Acknowledged edits that were lost. */
  lostEdits: string[]
}

export interface AttackReport {
  machine: Machine
  /** The load average of the minute before; above 0.2, other processes were running. */
  loadBefore: number
  attacks: JudgedAttack[]
}

export function printReport({ machine, loadBefore, attacks }: AttackReport): string {
  const lost = attacks.filter(({ misses }) => misses.length > 0).length
  return [
    '# What attacks do to another team',
    `${printMachine(machine)}, ${machine.takenAt.slice(0, 10)}, ` +
      `load before ${loadBefore.toFixed(2)}. Server, attacker and the other team share the processors.`,
    'Milliseconds at the median and at worst: without the attack → under it. Memory in MB of the server + its ' +
      'processes: before, at most, after (s after the attack).',
    table(['attack', 'reads', 'edits', 'solves', 'uploads', 'memory', 'verdict'], attacks.map(toRow)),
    ...attacks.filter(({ misses }) => misses.length > 0).map(describe),
    lost === 0
      ? `All ${attacks.length} attacks stayed within the limits.`
      : `${lost} of ${attacks.length} attacks broke limits.`,
  ].join('\n\n')
}

const toRow = (attack: JudgedAttack): string[] => [
  `${attack.name}${attack.store === 'postgres' ? ' (PostgreSQL)' : ''}`,
  ...WORK_KINDS.map((kind) => compare(attack, kind)),
  memoryOf(attack),
  mark(attack.misses.length === 0),
]

function compare({ normal, attacked }: AttackFigures, kind: WorkKind): string {
  const format = (of: AttackFigures['normal']) => {
    const times = of[kind]
    return times ? `${milliseconds(times.medianMs)} / ${milliseconds(times.worstMs)}` : '?'
  }
  return `${format(normal)} → ${format(attacked)}`
}

function memoryOf({ memory: { before, most, after, backAfterMs } }: AttackFigures): string {
  const format = ({ own, descendants }: typeof before) =>
    own === undefined ? '?' : `${toMb(own)}${descendants ? ` + ${toMb(descendants)}` : ''}`
  const when = backAfterMs === undefined ? 'not back' : `${Math.round(backAfterMs / 1000)} s`
  return `${format(before)}, ${format(most)}, ${format(after)} (${when})`
}

const toMb = (bytes: number): number => Math.round(bytes / 1e6)

function describe({ name, misses, examples, tally, seconds, retried, lostEdits }: JudgedAttack): string {
  const answers = Object.entries(tally.answers).map(([answer, times]) => `${answer}: ${times}`)
  return [
    `**${name}**: ${misses.join('; ')}.`,
    `${tally.sent} sent in ${seconds.toFixed(0)} s; answers ${answers.join(', ') || 'none'}.`,
    ...(retried > 0 ? [`The other team asked ${retried} times again after 503.`] : []),
    ...examples.map((example) => `- ${example}`),
    ...lostEdits.slice(0, 3).map((edit) => `- lost: ${edit}`),
  ].join('\n')
}
