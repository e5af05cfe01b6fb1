/*
 * The health check of the image: exits with 0 when the process in this container is ready. Asks the port for monitoring
 * where there is one, as `work` has no other.
 */

const { MEADOW_METRICS_PORT, MEADOW_PORT = '4000' } = process.env
const address = `http://127.0.0.1:${MEADOW_METRICS_PORT || MEADOW_PORT}/readyz`
const isReady = await fetch(address, { signal: AbortSignal.timeout(4000) }).then(
  ({ ok }) => ok,
  () => false,
)
process.exitCode = isReady ? 0 : 1
