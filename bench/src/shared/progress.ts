/** Writes progress to standard error; standard output is for the report. */
export const reportProgress = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
