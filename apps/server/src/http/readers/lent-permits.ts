import { type Permit, SemaphoreFullError } from '../../platform/concurrency/fair-semaphore.ts'
import type { OwnLimits } from '../admission.ts'
import type { MainFunctions } from './protocol.ts'

/** While requests wait, readers are asked again and again for the permits that they keep. */
const RECALL_EVERY_MS = 50

/** The permits of one reader. */
export interface Loan extends Pick<MainFunctions, 'acquire' | 'release' | 'abandon'> {
  /** The reader has ended: releases all that it held. */
  end(): void
}

/** Lends readers the permits of this process: the limits hold for all processes in sum, and their requests wait in one queue. */
export function lendPermits({ resources }: Pick<OwnLimits, 'resources'>, recall: () => void): () => Loan {
  const all = Object.values(resources)
  let timer: NodeJS.Timeout | undefined
  const recallKept = () => {
    if (timer) return
    recall()
    timer = setTimeout(() => {
      timer = undefined
      if (all.some(({ waiting }) => waiting > 0)) recallKept()
    }, RECALL_EVERY_MS).unref()
  }
  for (const semaphore of all) semaphore.onWait = recallKept

  return () => {
    const held = new Map<number, Permit>()
    const waiting = new Map<number, AbortController>()
    let hasEnded = false
    return {
      async acquire({ permit: id, resource, path, weight }) {
        const abandoned = new AbortController()
        waiting.set(id, abandoned)
        try {
          const permit = await resources[resource].acquire(path, { weight, signal: abandoned.signal })
          if (hasEnded) permit.release()
          else held.set(id, permit)
          return 'granted'
        } catch (error) {
          if (error instanceof SemaphoreFullError) return { full: error.level }
          return 'abandoned'
        } finally {
          waiting.delete(id)
        }
      },
      release(id) {
        held.get(id)?.release()
        held.delete(id)
      },
      abandon: (id) => waiting.get(id)?.abort(),
      end() {
        hasEnded = true
        for (const abandoned of waiting.values()) abandoned.abort()
        for (const permit of held.values()) permit.release()
      },
    }
  }
}
