import asyncHooks from 'node:async_hooks'

/*
 * Loaded before each test file with `--import`, by tools/run-tests.ts, when several run. The runner of Node.js follows
 * every promise with an async hook, to name the test that an error was thrown in which nothing waited for. That takes a
 * sixth of the processor time of a test with a server and more of one with many requests. Without it such an error
 * fails its file, with its stack; run alone, the file names the test.
 */

const { createHook } = asyncHooks

asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  const isOfRunner = new Error().stack?.includes('node:internal/test_runner/')
  return isOfRunner ? Object.assign(hook, { enable: () => hook }) : hook
}
