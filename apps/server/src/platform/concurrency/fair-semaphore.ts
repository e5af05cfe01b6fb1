export interface FairSemaphoreOptions {
  /**
   * How much may be held at once: in all, then by each group of the first level of a path, of the second, and so on.
   * Further levels have no limit.
   */
  limits: readonly number[]
  /** How many callers may wait: in all, then in each group of the first level of a path, and so on. */
  maxWaiting: readonly number[]
  /** How long a caller waits at most, in milliseconds. */
  maxWaitMs: number
}

export interface AcquireOptions {
  /** How much is taken, 1 by default. A weight that exceeds the limit of a group takes the whole limit. */
  weight?: number
  /**
   * How long the caller waits at most when it can go another way then, in milliseconds. Its refusal is not counted.
   */
  readonly trialMs?: number
  /** Ends the wait with the signal's reason. Only read when the caller has to wait, so that it may be a getter. */
  readonly signal?: AbortSignal
}

/** A part of the semaphore that is held until it is released. Releasing it twice has no effect. */
export interface Permit extends Disposable {
  release(): void
}

/** The error of a caller for whom the queue was full or the wait too long. */
export class SemaphoreFullError extends Error {
  override readonly name = 'SemaphoreFullError'
  /**
   * The level of the limit that was reached: 0 for the whole semaphore, 1 for the group at the first level of the path.
   */
  readonly level: number

  constructor(level: number) {
    super(`A limit of level ${level} was reached.`)
    this.level = level
  }
}

/** A node of the tree of groups. */
interface Group {
  readonly key: string
  readonly parent: Group | undefined
  readonly level: number
  readonly limit: number
  /** The groups below this one, created for the first of them, like the sets below: most groups never have any. */
  children: Map<string, Group> | undefined
  /** The children with waiting callers; the next one to be served comes first. */
  waitingChildren: Set<Group> | undefined
  /** The callers that wait in this group itself, in order of arrival. */
  queue: Set<Waiter> | undefined
  /** How many callers wait in this group and below. */
  waiting: number
  held: number
}

interface Waiter {
  readonly group: Group
  readonly weight: number
  grant(): void
}

/**
 * A weighted, fair semaphore. A caller names a path of groups, such as `[team, caller]`, each with a limit of its own.
 * Waiting groups are served in turn at every level: a group with one waiting caller does not wait behind a group with a
 * thousand. Within a group the order is that of arrival, and a heavy request that does not fit yet is not overtaken by
 * light ones of its own group.
 */
export class FairSemaphore {
  /** How many callers were rejected, by the level of the limit that was reached. */
  readonly refusals: readonly number[]
  readonly #options: FairSemaphoreOptions
  readonly #root: Group

  constructor(options: FairSemaphoreOptions) {
    this.#options = options
    this.refusals = options.limits.map(() => 0)
    this.#root = createGroup('', undefined, options.limits)
  }

  /** The sum of the weights that are held. */
  get held(): number {
    return this.#root.held
  }

  /** How many callers wait. */
  get waiting(): number {
    return this.#root.waiting
  }

  /**
   * Acquires a permit, without a promise when it is available at once. Rejects with a {@link SemaphoreFullError} when
   * the queue is full or the wait too long, and with the signal's reason.
   */
  acquire(path: readonly string[], options: AcquireOptions = {}): Permit | Promise<Permit> {
    return this.tryAcquire(path, options.weight) ?? this.#wait(path, options)
  }

  /** Acquires a permit if it is available at once. */
  tryAcquire(path: readonly string[], wanted = 1): Permit | undefined {
    const group = this.#getGroup(path)
    const weight = limitWeight(group, wanted)
    if (this.#root.waiting === 0 && findFullLevel(group, weight) === undefined)
      return this.#hold(group, weight)
    removeIfUnused(group)
    return undefined
  }

  #wait(path: readonly string[], options: AcquireOptions): Permit | Promise<Permit> {
    const group = this.#getGroup(path)
    const weight = limitWeight(group, options.weight ?? 1)
    const { signal, trialMs } = options
    const fullLevel = this.#findFullQueue(group, weight)
    const { promise, resolve, reject } = Promise.withResolvers<Permit>()
    let permit: Permit | undefined
    const stopWaiting = (reason: unknown) => {
      leaveQueue(waiter)
      removeIfUnused(group)
      settle()
      if (reason instanceof SemaphoreFullError && trialMs === undefined)
        (this.refusals as number[])[reason.level]!++
      reject(reason)
      // This caller may have blocked other callers.
      this.#serve()
    }
    const onAbort = () => stopWaiting(signal!.reason)
    const timer = setTimeout(
      () => stopWaiting(new SemaphoreFullError(findFullLevel(group, weight) ?? 0)),
      trialMs ?? this.#options.maxWaitMs,
    )
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const waiter: Waiter = {
      group,
      weight,
      grant: () => {
        settle()
        permit = this.#hold(group, weight)
        resolve(permit)
      },
    }
    signal?.addEventListener('abort', onAbort)
    enterQueue(waiter)
    this.#serve()
    if (permit) return permit
    // The queue is checked only after serving, since all that wait may be blocked by limits of their own groups.
    if (fullLevel !== undefined) stopWaiting(new SemaphoreFullError(fullLevel))
    else if (signal?.aborted) stopWaiting(signal.reason)
    return promise
  }

  /** Returns the level of the group whose queue has no room, or undefined. */
  #findFullQueue(group: Group, weight: number): number | undefined {
    const { maxWaiting } = this.#options
    for (let at: Group | undefined = group; at; at = at.parent) {
      if (at.waiting < (maxWaiting[at.level] ?? Number.POSITIVE_INFINITY)) continue
      return at.parent ? at.level : (findFullLevel(group, weight) ?? 0)
    }
    return undefined
  }

  #hold(group: Group, weight: number): Permit {
    addHeld(group, weight)
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      addHeld(group, -weight)
      removeIfUnused(group)
      this.#serve()
    }
    return { release, [Symbol.dispose]: release }
  }

  /** Grants what can be granted now. */
  #serve(): void {
    for (;;) {
      const waiter = this.#root.waiting > 0 ? findNext(this.#root) : undefined
      if (!waiter) return
      leaveQueue(waiter)
      moveBehindOthers(waiter.group)
      waiter.grant()
    }
  }

  #getGroup(path: readonly string[]): Group {
    let group = this.#root
    for (const key of path) {
      group.children ??= new Map()
      let child = group.children.get(key)
      if (!child) {
        child = createGroup(key, group, this.#options.limits)
        group.children.set(key, child)
      }
      group = child
    }
    return group
  }
}

function createGroup(key: string, parent: Group | undefined, limits: readonly number[]): Group {
  const level = parent ? parent.level + 1 : 0
  return {
    key,
    parent,
    level,
    limit: limits[level] ?? Number.POSITIVE_INFINITY,
    children: undefined,
    waitingChildren: undefined,
    queue: undefined,
    waiting: 0,
    held: 0,
  }
}

/** Reduces a weight that exceeds the limit of a group to the whole limit. */
function limitWeight(group: Group, weight: number): number {
  let limited = weight
  for (let at: Group | undefined = group; at; at = at.parent) limited = Math.min(limited, at.limit)
  return limited
}

function addHeld(group: Group, weight: number): void {
  for (let at: Group | undefined = group; at; at = at.parent) at.held += weight
}

const fits = ({ held, limit }: Group, weight: number): boolean => held + weight <= limit

/** Returns the level of the deepest group that has no room, or undefined when all have room. */
function findFullLevel(group: Group, weight: number): number | undefined {
  for (let at: Group | undefined = group; at; at = at.parent) if (!fits(at, weight)) return at.level
  return undefined
}

/** Returns the next caller to be served in the group or below, if the groups on its path have room. */
function findNext(group: Group): Waiter | undefined {
  for (const child of group.waitingChildren ?? []) {
    const waiter = findNext(child)
    if (waiter) return fits(group, waiter.weight) ? waiter : undefined
  }
  const [first] = group.queue ?? []
  return first && fits(group, first.weight) ? first : undefined
}

function enterQueue(waiter: Waiter): void {
  waiter.group.queue ??= new Set()
  waiter.group.queue.add(waiter)
  for (let at: Group | undefined = waiter.group; at; at = at.parent) {
    at.waiting++
    if (!at.parent) continue
    at.parent.waitingChildren ??= new Set()
    at.parent.waitingChildren.add(at)
  }
}

function leaveQueue(waiter: Waiter): void {
  waiter.group.queue?.delete(waiter)
  for (let at: Group | undefined = waiter.group; at; at = at.parent) {
    at.waiting--
    if (at.waiting === 0) at.parent?.waitingChildren?.delete(at)
  }
}

/** Moves a group that had its turn behind the other waiting groups at every level. */
function moveBehindOthers(group: Group): void {
  for (let at = group; at.parent; at = at.parent) {
    const { waitingChildren } = at.parent
    if (waitingChildren?.delete(at)) waitingChildren.add(at)
  }
}

/** How many children a group keeps although they are unused, so that they are not created again for each request. */
const MAX_UNUSED = 256

function removeIfUnused(group: Group): void {
  for (let at = group; at.parent?.children && at.held === 0 && at.waiting === 0; at = at.parent)
    if (at.parent.children.size > MAX_UNUSED) at.parent.children.delete(at.key)
}
