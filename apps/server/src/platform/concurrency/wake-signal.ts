/** Wakes one waiting caller. A signal without a waiting caller is kept for the next one. */
export interface WakeSignal {
  wake(): void
  /** Resolves with the next signal, or after `timeoutMs` without one. */
  wait(timeoutMs: number): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let isRung = false
  let wake = () => {}
  return {
    wake() {
      isRung = true
      wake()
    },
    async wait(timeoutMs) {
      if (!isRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, timeoutMs)
        await promise
        clearTimeout(timer)
      }
      isRung = false
    },
  }
}
