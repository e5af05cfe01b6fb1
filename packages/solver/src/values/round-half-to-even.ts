/** As .NET's `Math.Round`: a half goes to the even neighbour, 0.5 gives 0 and 1.5 gives 2. */
export function roundHalfToEven(value: number): number {
  const below = Math.floor(value)
  if (value - below !== 0.5) return Math.round(value) + 0
  return below % 2 === 0 ? below : below + 1
}
