import { createSuiteScope, type TestScope } from './at-end.ts'

/** For what the tests of a file share. Importing it makes a process a run of tests, which prints their results. */
export const wholeFile: TestScope = createSuiteScope()
