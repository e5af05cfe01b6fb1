/* What draws on a terminal. It measures the width of texts, with a library that other commands start without. */

export { createProgress, type Progress } from './progress.ts'
export { cutTo, formatTable } from './table.ts'
