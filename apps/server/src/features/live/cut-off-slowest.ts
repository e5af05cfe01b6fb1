import type { LiveSocket } from './live-socket.ts'

/** Cuts off those for whom most is waiting in memory, until all that waits is no more than `mostBytes`. */
export function cutOffSlowest(
  sockets: Iterable<Pick<LiveSocket, 'waitingBytes' | 'terminate'>>,
  mostBytes: number,
): void {
  const slow = Array.from(sockets, (socket) => ({ socket, bytes: socket.waitingBytes }))
  let waiting = slow.reduce((sum, { bytes }) => sum + bytes, 0)
  if (waiting <= mostBytes) return
  for (const { socket, bytes } of slow.sort((a, b) => b.bytes - a.bytes)) {
    if (waiting <= mostBytes) return
    waiting -= bytes
    socket.terminate()
  }
}
