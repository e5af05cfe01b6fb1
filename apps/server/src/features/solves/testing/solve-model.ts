/**
 * The queue of solves as a list in memory, to compare the real one with. Calls are sequential.
 */
export interface ModelSolve {
  id: string
  document: number
  team: number
  state: 'queued' | 'running' | 'solved' | 'failed'
  /** The number of the current lease; undefined when there is none. */
  lease: number | undefined
  leaseUntil: number
  attempts: number
  startedAt: number
  reserved: number
}

export interface ModelTeam {
  key: number
  /** Tenths of a credit. */
  tenths: number
}

const MAX_ATTEMPTS = 3

export class SolveModel {
  readonly teams: ModelTeam[]
  solves: ModelSolve[] = []
  #leases = 0
  /** The outcomes of completed leases. */
  readonly #completed = new Map<number, 'solved' | 'failed'>()
  readonly #terms: { leaseMs: number; maxTenths: number }

  constructor(teams: ModelTeam[], terms: { leaseMs: number; maxTenths: number }) {
    this.teams = teams
    this.#terms = terms
  }

  /** `id` becomes that of the new solve, if there is one. */
  request(team: number, document: number, id: string): 'rejected' | 'new' | 'existing' {
    if (this.#team(team).tenths <= 0) return 'rejected'
    if (this.solves.some((solve) => solve.document === document && solve.state === 'queued'))
      return 'existing'
    const unleased = { lease: undefined, leaseUntil: 0, attempts: 0, startedAt: 0, reserved: 0 }
    this.solves.push({ id, document, team, state: 'queued', ...unleased })
    return 'new'
  }

  lease(now: number): ModelSolve | undefined {
    for (;;) {
      const expired = this.solves
        .filter(({ state, leaseUntil }) => state === 'running' && leaseUntil < now)
        .sort((a, b) => a.leaseUntil - b.leaseUntil)[0]
      if (expired && expired.attempts >= MAX_ATTEMPTS) this.#close(expired, 'failed')
      else if (expired) return this.#begin(expired, now)
      else {
        const next = this.#findNext()
        if (!next) return undefined
        if (this.#team(next.team).tenths > 0) return this.#begin(next, now)
        this.solves = this.solves.filter(({ team, state }) => team !== next.team || state !== 'queued')
      }
    }
  }

  /** False when the lease is lost; true when it was completed with the same outcome before (JOB-30). */
  complete(lease: number, state: 'solved' | 'failed', durationMs: number): boolean {
    const solve = this.#leased(lease)
    if (!solve) return this.#completed.get(lease) === state
    this.#completed.set(lease, state)
    const tenths = Math.min(Math.max(1, Math.ceil(durationMs / 100)), this.#terms.maxTenths)
    this.#team(solve.team).tenths -= tenths
    this.#close(solve, state)
    return true
  }

  renew(lease: number, now: number): boolean {
    const solve = this.#leased(lease)
    if (solve) solve.leaseUntil = now + this.#terms.leaseMs
    return solve !== undefined
  }

  abandon(lease: number): void {
    const solve = this.#leased(lease)
    if (!solve) return
    solve.lease = undefined
    solve.leaseUntil = 0
    solve.attempts--
  }

  list(): { id: string; state: string; attempts: number }[] {
    return this.solves.map(({ id, state, attempts }) => ({ id, state, attempts }))
  }

  #begin(solve: ModelSolve, now: number): ModelSolve {
    return Object.assign(solve, {
      state: 'running',
      lease: ++this.#leases,
      leaseUntil: now + this.#terms.leaseMs,
      startedAt: now,
      attempts: solve.attempts + 1,
      reserved: this.#terms.maxTenths,
    })
  }

  #close(solve: ModelSolve, state: 'solved' | 'failed'): void {
    Object.assign(solve, { state, lease: undefined, reserved: 0 })
  }

  #findNext(): ModelSolve | undefined {
    const servedAt = (team: number) =>
      Math.max(0, ...this.solves.filter((solve) => solve.team === team).map(({ startedAt }) => startedAt))
    const ready = this.solves.filter((solve) => solve.state === 'queued' && this.#mayBegin(solve))
    // A stable sort: of one team the oldest stays first.
    return ready.sort((a, b) => servedAt(a.team) - servedAt(b.team))[0]
  }

  #mayBegin({ document, team }: ModelSolve): boolean {
    const running = this.solves.filter(({ state }) => state === 'running')
    if (running.some((solve) => solve.document === document)) return false
    const reserved = running
      .filter((solve) => solve.team === team)
      .reduce((sum, solve) => sum + solve.reserved, 0)
    const { tenths } = this.#team(team)
    return tenths <= 0 || tenths > reserved
  }

  #leased = (lease: number) => this.solves.find((solve) => solve.state === 'running' && solve.lease === lease)

  #team = (key: number): ModelTeam => this.teams.find((team) => team.key === key)!
}
