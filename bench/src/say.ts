/** Tells the person who waits what is going on; figures go to standard output. */
export const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
