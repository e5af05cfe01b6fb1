/**
 * A clock that is a millisecond later at each look. A budget looks at it once in about a thousand steps, so a deadline
 * is a number of steps, the same on every machine.
 */
export function createStepClock(): () => number {
  let looks = 0
  return () => looks++
}
