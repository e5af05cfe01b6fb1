/**
 * A clock that advances a millisecond on each read. A budget reads it once in about a thousand steps, so a
 * deadline is a number of steps, independent of the machine.
 */
export function createStepClock(): () => number {
  let looks = 0
  return () => looks++
}
