import { Writable } from 'node:stream'
import { runCommand } from '../cli/program.ts'

/** What a command printed, and its exit code; null when a signal ended it. */
export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the operator's command inside this process. */
export async function runHere(args: string[], env: NodeJS.ProcessEnv): Promise<Finished> {
  const [stdout, stderr] = [keep(), keep()]
  const code = await runCommand(args, { env, stdout: stdout.stream, stderr: stderr.stream })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function keep(): { stream: Writable; text(): string } {
  const pieces: Buffer[] = []
  const stream = new Writable({
    write(piece, _, done) {
      pieces.push(piece)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(pieces).toString() }
}
