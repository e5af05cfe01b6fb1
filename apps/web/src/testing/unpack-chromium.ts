import Chromium, { inflate } from '@sparticuz/chromium'

/*
 * Unpacks the Chromium of the npm package into TMPDIR; a process of its own, because the package unpacks into
 * whatever was the temporary folder when it was loaded.
 */
await Promise.all([Chromium.executablePath(), inflate(process.argv[2]!)])
