/**
 * The queue of solves as a list, to hold the real one against. It knows nothing of databases, and does one thing
 * after the other.
 */
export interface ModelSolve {
  id: string
  document: number
  team: number
  state: 'queued' | 'running' | 'solved' | 'failed'
  /** Of the model's claims; undefined when nobody has it. */
  claim: number | undefined
  leaseUntil: number
  attempts: number
  startedAt: number
  reserved: number
}

export interface ModelTeam {
  key: number
  credits: number
}

const MAX_ATTEMPTS = 3

export class SolveModel {
  readonly teams: ModelTeam[]
  solves: ModelSolve[] = []
  #claims = 0
  /** How claims were ended. */
  readonly #ended = new Map<number, 'solved' | 'failed'>()
  readonly #terms: { leaseMs: number; maxCredits: number }

  constructor(teams: ModelTeam[], terms: { leaseMs: number; maxCredits: number }) {
    this.teams = teams
    this.#terms = terms
  }

  /** Whether the queue takes it; `id` is that of the new solve, if it comes to one. */
  ask(team: number, document: number, id: string): 'refused' | 'new' | 'kept' {
    if (this.#team(team).credits <= 0) return 'refused'
    if (this.solves.some((solve) => solve.document === document && solve.state === 'queued')) return 'kept'
    const nobody = { claim: undefined, leaseUntil: 0, attempts: 0, startedAt: 0, reserved: 0 }
    this.solves.push({ id, document, team, state: 'queued', ...nobody })
    return 'new'
  }

  claim(now: number): ModelSolve | undefined {
    for (;;) {
      const left = this.solves
        .filter(({ state, leaseUntil }) => state === 'running' && leaseUntil < now)
        .sort((a, b) => a.leaseUntil - b.leaseUntil)[0]
      if (left && left.attempts >= MAX_ATTEMPTS) this.#close(left, 'failed')
      else if (left) return this.#begin(left, now)
      else {
        const next = this.#findNext()
        if (!next) return undefined
        if (this.#team(next.team).credits > 0) return this.#begin(next, now)
        this.solves = this.solves.filter(({ team, state }) => team !== next.team || state !== 'queued')
      }
    }
  }

  /** False when the claim is lost; true again when it was ended in the same way before (JOB-30). */
  end(claim: number, state: 'solved' | 'failed', durationMs: number): boolean {
    const solve = this.#claimed(claim)
    if (!solve) return this.#ended.get(claim) === state
    this.#ended.set(claim, state)
    const credits = Math.min(Math.max(1, Math.ceil(durationMs / 1000)), this.#terms.maxCredits)
    this.#team(solve.team).credits -= credits
    this.#close(solve, state)
    return true
  }

  renew(claim: number, now: number): boolean {
    const solve = this.#claimed(claim)
    if (solve) solve.leaseUntil = now + this.#terms.leaseMs
    return solve !== undefined
  }

  giveBack(claim: number): void {
    const solve = this.#claimed(claim)
    if (!solve) return
    solve.claim = undefined
    solve.leaseUntil = 0
    solve.attempts--
  }

  /** How the documents stand. */
  list(): { id: string; state: string; attempts: number }[] {
    return this.solves.map(({ id, state, attempts }) => ({ id, state, attempts }))
  }

  #begin(solve: ModelSolve, now: number): ModelSolve {
    return Object.assign(solve, {
      state: 'running',
      claim: ++this.#claims,
      leaseUntil: now + this.#terms.leaseMs,
      startedAt: now,
      attempts: solve.attempts + 1,
      reserved: this.#terms.maxCredits,
    })
  }

  #close(solve: ModelSolve, state: 'solved' | 'failed'): void {
    Object.assign(solve, { state, claim: undefined, reserved: 0 })
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
    const { credits } = this.#team(team)
    return credits <= 0 || credits > reserved
  }

  #claimed = (claim: number) =>
    this.solves.find((solve) => solve.state === 'running' && solve.claim === claim)

  #team = (key: number): ModelTeam => this.teams.find((team) => team.key === key)!
}
