import { after } from 'node:test'

/** What ends what was started for it: a test, a suite, or a file of tests. */
export interface TestScope {
  after(work: () => Promise<void>): void
}

const stacks = new WeakMap<TestScope, AsyncDisposableStack>()

/** Runs `work` when the scope is over; what was registered last runs first, which `t.after` does not do. */
export function atEnd(scope: TestScope, work: () => Promise<void> | void): void {
  const known = stacks.get(scope)
  const stack = known ?? new AsyncDisposableStack()
  if (!known) {
    stacks.set(scope, stack)
    scope.after(() => stack.disposeAsync())
  }
  stack.defer(work)
}

/** For what the tests of a suite share. To be called in its body: called within a test, it would end with that test. */
export function createSuiteScope(): TestScope {
  const works: (() => Promise<void>)[] = []
  after(async () => {
    for (const work of works) await work()
  })
  return { after: (work) => void works.push(work) }
}
