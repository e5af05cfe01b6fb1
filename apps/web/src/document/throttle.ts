/** Calls with all that was given since the last call put together, once in so many milliseconds. */
export function throttle<T extends object>(
  call: (value: T) => void,
  milliseconds: number,
): (value: T) => void {
  let waiting: T | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    if (waiting === undefined) return
    const value = waiting
    waiting = undefined
    call(value)
    timer = setTimeout(flush, milliseconds)
  }
  return (value) => {
    waiting = { ...waiting, ...value }
    if (timer === undefined) flush()
  }
}
