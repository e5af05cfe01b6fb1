import type { TestContext } from 'node:test'

const stacks = new WeakMap<TestContext, AsyncDisposableStack>()

/** Runs `work` when the test is over; what was asked for last runs first, which `t.after` does not do. */
export function atEnd(t: TestContext, work: () => Promise<void> | void): void {
  const known = stacks.get(t)
  const stack = known ?? new AsyncDisposableStack()
  if (!known) {
    stacks.set(t, stack)
    t.after(() => stack.disposeAsync())
  }
  stack.defer(work)
}
