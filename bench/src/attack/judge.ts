import type { Attack } from './attack.ts'
import type { WorkKind } from './bystander.ts'
import { sum } from './memory-watch.ts'
import type { AttackFigures } from './stage.ts'

/** What an attack may do to another team and to the server. */
export interface Limits {
  /** The slowest request. A solve or an upload has to wait for one job of the attacker besides. */
  worstMs: number
  /** The median, in medians without the attack. */
  medianRatio: number
  /** Of the server's own memory; its processes have what a solve may take besides. */
  grownBytes: number
  /** Whether the memory has to be back in time. */
  comesBack: boolean
}

/** Those of the issue: 1 s, five times, 300 MB, back within a tenth. */
const LIMITS: Limits = { worstMs: 1000, medianRatio: 5, grownBytes: 300e6, comesBack: true }

/** Everything resumes within so long when the database is back. */
const RESUMES_MS = 5000
const DEFAULT_SOLVE_MB = 1024
/** A solver is ended when its values have taken half as much memory again as they may. */
const SOLVER_FACTOR = 1.5
const WORDS: Record<WorkKind, string> = { read: 'reads', edit: 'edits', solve: 'solves', upload: 'uploads' }

/** Which limits were missed, in words; none when the attack did no harm. */
export function judge(figures: AttackFigures, attack: Attack, limits: Limits = LIMITS): string[] {
  const misses: string[] = []
  if (figures.ended !== undefined) misses.push(`the server ended (${figures.ended})`)
  misses.push(...figures.tally.faults)
  if (figures.wrong > 0) misses.push(`${figures.wrong} wrong or missing answers`)
  for (const kind of Object.keys(WORDS) as WorkKind[]) {
    const [normal, attacked] = [figures.normal[kind], figures.attacked[kind]]
    if (!normal || !attacked) continue
    const queued = kind === 'solve' || kind === 'upload' ? (attack.longestJobMs ?? 0) : 0
    const outage = attack.outageMs === undefined ? 0 : attack.outageMs + RESUMES_MS
    const worstMs = limits.worstMs + queued + outage
    if (attacked.worstMs >= worstMs) misses.push(`${WORDS[kind]} took up to ${seconds(attacked.worstMs)}`)
    const medianMs = normal.medianMs * limits.medianRatio + queued
    // While the database is away nothing can be solved or stored, so the time that it is away would be judged.
    if (!attack.outageMs && attacked.medianMs > medianMs)
      misses.push(`${WORDS[kind]} took ${(attacked.medianMs / normal.medianMs).toFixed(1)} times as long`)
  }
  // Of a process that ended, the system tells nothing more.
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
  const ofProcesses = (most.descendants ?? 0) - (before.descendants ?? 0)
  if (ofProcesses >= limits.grownBytes + solveBytes)
    misses.push(`its processes grew by ${megabytes(ofProcesses)}`)
  if (limits.comesBack && backAfterMs === undefined) {
    const kept = sum(memory.after)! - sum(before)!
    misses.push(`${megabytes(kept)} were not given back`)
  }
  return misses
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
