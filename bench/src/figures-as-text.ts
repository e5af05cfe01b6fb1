/** Figures as the report writes them. */
export const count = (value: number) => Math.round(value).toLocaleString('en')
export const milliseconds = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0))
export const megabytes = (bytes: number | undefined) =>
  bytes === undefined ? '?' : (bytes / 2 ** 20).toFixed(0)
export const verdict = (ratio: number, aim: number | undefined) =>
  `${ratio.toFixed(2)}${aim === undefined ? '' : ratio >= aim ? ` ✓ ${aim}` : ` ✗ ${aim}`}`
