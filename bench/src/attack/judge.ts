import { sum } from '../harness/memory-watch.ts'
import type { Attack } from './attacks/attack.ts'
import type { WorkKind } from './testbed/bystander.ts'
import type { AttackFigures } from './testbed/testbed.ts'

/** The limits of the effects of an attack on another team and on the server. */
export interface Limits {
  /** The longest time of a request. A solve or an upload may also wait for one job of the attacker. */
  worstMs: number
  /** The ratio of the median to the median without the attack. */
  medianRatio: number
  /** The growth of the server's memory; its child processes may also use the memory of a solve. */
  grownBytes: number
  /** Whether the memory has to be released after the attack, within the time for it. */
  comesBack: boolean
}

const LIMITS: Limits = { worstMs: 1000, medianRatio: 5, grownBytes: 300e6, comesBack: true }

/** The time to resume after an outage of the database, in milliseconds. */
const RESUMES_MS = 5000
const DEFAULT_SOLVE_MB = 1024
/** A solver is killed at this factor above its memory limit. */
const SOLVER_FACTOR = 1.5
const LABELS: Record<WorkKind, string> = { read: 'reads', edit: 'edits', solve: 'solves', upload: 'uploads' }

/** Returns a message for each exceeded limit. */
export function judge(figures: AttackFigures, attack: Attack, limits: Limits = LIMITS): string[] {
  const misses: string[] = []
  if (figures.ended !== undefined) misses.push(`the server ended (${figures.ended})`)
  misses.push(...figures.tally.faults)
  if (figures.wrong > 0) misses.push(`${figures.wrong} wrong or missing answers`)
  for (const kind of Object.keys(LABELS) as WorkKind[]) {
    const [normal, attacked] = [figures.normal[kind], figures.attacked[kind]]
    if (!normal || !attacked) continue
    const queued = kind === 'solve' || kind === 'upload' ? (attack.longestJobMs ?? 0) : 0
    const outage = attack.outageMs === undefined ? 0 : attack.outageMs + RESUMES_MS
    const worstMs = limits.worstMs + queued + outage
    if (attacked.worstMs >= worstMs) misses.push(`${LABELS[kind]} took up to ${seconds(attacked.worstMs)}`)
    const medianMs = normal.medianMs * limits.medianRatio + queued
    // With an outage, the median would measure the outage.
    if (!attack.outageMs && attacked.medianMs > medianMs)
      misses.push(`${LABELS[kind]} took ${(attacked.medianMs / normal.medianMs).toFixed(1)} times as long`)
  }
  // The memory of a process that ended is unknown.
  if (figures.ended === undefined) misses.push(...judgeMemory(figures, attack, limits))
  return misses
}

function judgeMemory({ memory }: AttackFigures, attack: Attack, limits: Limits): string[] {
  const { before, most, backAfterMs } = memory
  if (before.own === undefined || most.own === undefined) return []
  const misses: string[] = []
  const grown = most.own - before.own
  if (grown >= limits.grownBytes) misses.push(`the server grew by ${megabytes(grown)}`)
  const solveMb = Number(attack.server?.env?.MEADOW_SOLVE_MEMORY_MB ?? DEFAULT_SOLVE_MB)
  const solveBytes = SOLVER_FACTOR * solveMb * 2 ** 20
  const processesGrown = (most.descendants ?? 0) - (before.descendants ?? 0)
  if (processesGrown >= limits.grownBytes + solveBytes)
    misses.push(`its processes grew by ${megabytes(processesGrown)}`)
  if (limits.comesBack && backAfterMs === undefined) {
    const remaining = sum(memory.after)! - sum(before)!
    misses.push(`${megabytes(remaining)} were not given back`)
  }
  return misses
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
