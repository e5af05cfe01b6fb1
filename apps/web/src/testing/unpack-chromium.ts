import Chromium, { inflate } from '@sparticuz/chromium'

/*
 * Unpacks the Chromium of the npm package into TMPDIR in a separate process, because the package unpacks into
 * the folder that was the temporary one when it was loaded.
 */
await Promise.all([Chromium.executablePath(), inflate(process.argv[2]!)])
