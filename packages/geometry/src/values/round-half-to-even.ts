/** Rounds like .NET's `Math.Round`: halves to even, 0.5 to 0 and 1.5 to 2. */
export function roundHalfToEven(value: number): number {
  const below = Math.floor(value)
  if (value - below !== 0.5) return Math.round(value) + 0
  return below % 2 === 0 ? below : below + 1
}
