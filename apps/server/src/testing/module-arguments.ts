/**
 * Returns the arguments with which a process that a test starts finds its modules as this one does
 * (tools/known-modules.ts). A server then starts in two thirds of the processor time. There are none where a file of
 * tests runs alone.
 */
export function listModuleArguments(): string[] {
  const address = process.execArgv.find((argument) => argument.includes('known-modules.ts'))
  return address === undefined ? [] : ['--import', address]
}
