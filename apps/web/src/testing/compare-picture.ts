import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decode, encode } from 'fast-png'
import pixelmatch from 'pixelmatch'

/** The pages as they should look. `npm run pictures` takes them again. */
const PICTURES = fileURLToPath(new URL('pictures', import.meta.url))

/** Of a pixel's colour, from 0 to 1: what antialiasing and shading differ by from one processor to another. */
const COLOUR_TOLERANCE = 0.15

/** Of all pixels. A button that moved, or a word that changed, is more. */
const PIXEL_TOLERANCE = 0.0005

/** Whether the pictures are replaced instead of compared. */
// biome-ignore lint/style/noProcessEnv: tests have no other configuration.
const isUpdating = process.env.MEADOW_PICTURES === 'update'

let resultFolder: Promise<string> | undefined

/** How a screenshot differs from the stored picture of the name; undefined if it does not. */
export async function comparePicture(name: string, screenshot: Buffer): Promise<string | undefined> {
  const path = join(PICTURES, `${name}.png`)
  const stored = await readFile(path).catch(() => undefined)
  const difference = stored ? findDifference(stored, screenshot) : { reason: 'it is not stored' }
  if (!difference) return undefined
  if (isUpdating) {
    await mkdir(PICTURES, { recursive: true })
    await writeFile(path, screenshot)
    process.stdout.write(`${path}: ${difference.reason}\n`)
    return undefined
  }
  resultFolder ??= mkdtemp(join(tmpdir(), 'meadow-pictures-'))
  const actual = join(await resultFolder, `${name}.png`)
  await writeFile(actual, screenshot)
  if (difference.picture) await writeFile(actual.replace('.png', '-difference.png'), difference.picture)
  return `The picture ${name} differs from the stored one (${difference.reason}): see ${actual} and, if it is right, run npm run pictures.`
}

interface Difference {
  reason: string
  /** The differing pixels, red on the pale picture. */
  picture?: Uint8Array
}

function findDifference(stored: Uint8Array, screenshot: Uint8Array): Difference | undefined {
  const [before, now] = [readPixels(stored), readPixels(screenshot)]
  const { width, height } = now
  if (before.width !== width || before.height !== height)
    return { reason: `${before.width} × ${before.height} became ${width} × ${height}` }
  const data = new Uint8Array(now.data.length)
  const count = pixelmatch(before.data, now.data, data, width, height, { threshold: COLOUR_TOLERANCE })
  if (count <= PIXEL_TOLERANCE * width * height) return undefined
  return { reason: `${count} pixels`, picture: encode({ width, height, data, channels: 4 }) }
}

interface Pixels {
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel. */
  data: Uint8Array
}

function readPixels(png: Uint8Array): Pixels {
  const { width, height, channels, data } = decode(png)
  if (channels === 4) return { width, height, data: Uint8Array.from(data) }
  const withAlpha = new Uint8Array(width * height * 4).fill(255)
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let channel = 0; channel < 3; channel++)
      withAlpha[4 * pixel + channel] = data[channels * pixel + channel]!
  return { width, height, data: withAlpha }
}
