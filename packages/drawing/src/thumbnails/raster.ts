/** The number of samples along one side of a pixel: four samples are averaged to one pixel, which smooths edges. */
export const SAMPLES = 2

/** Red, green, blue and alpha from 0 to 255. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

/** The shades of a colour, dark to light, as samples. The alpha of all is the same. */
export type Ramp = Int32Array

/** Points on the raster, three numbers each: x to the right and y down, in samples, and a depth that grows towards the viewer. */
export type Spots = Float32Array

/** Triangles on the raster. */
export interface Faces {
  spots: Spots
  /** Three indices of spots for each triangle. */
  triangles: ArrayLike<number>
  /**
   * The shade of each spot, from 0 (dark) to 1. Without them a triangle has one shade, which depends on its angle to
   * the light.
   */
  shades?: Float32Array | undefined
}

/**
 * A picture that is being drawn, with a depth for each sample. Transparent colours cover a share of the samples in a
 * fixed pattern, so that nothing has to be sorted.
 */
export interface Raster {
  /** The width in samples. */
  readonly width: number
  readonly height: number
  fillFaces(faces: Faces, ramp: Ramp): void
  /** Draws a line through all spots, in the lightest shade, in front of everything that is equally near. */
  drawLine(spots: Spots, thickness: number, ramp: Ramp): void
  drawDisc(x: number, y: number, depth: number, radius: number, ramp: Ramp): void
  /** Fills an upright rectangle, which covers everything that was drawn before it. */
  fillRectangle(left: number, top: number, right: number, bottom: number, colour: Rgba): void
  /** Returns the pixels: red, green, blue and alpha for each, in rows from the top. */
  resolve(): Uint8Array
}

const SHADES = 64
/** The alpha of a sample that is covered. */
const OPAQUE = 0xff << 24

/**
 * How far a line is drawn in front of the surface that it lies on, in units of depth, as a share of the width of the
 * picture.
 */
const BEFORE = 0.004

/** The pattern of transparency: four by four thresholds from 0 to 15. */
const PATTERN = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

/**
 * Returns a colour in the shades that light gives it: never black, and a little brighter than itself where light falls
 * straight on it.
 */
export function createRamp([red, green, blue, alpha]: Rgba, darkest = 0.5, lightest = 1.12): Ramp {
  return Int32Array.from({ length: SHADES }, (_, i) => {
    const share = darkest + ((lightest - darkest) * i) / (SHADES - 1)
    const channel = (value: number) => Math.min(255, Math.round(value * share))
    return toSample([channel(red), channel(green), channel(blue), alpha])
  })
}

/** Packs a colour as a sample of 32 bits: alpha, blue, green and red from the highest on. */
const toSample = ([red, green, blue, alpha]: Rgba): number =>
  (alpha << 24) | (blue << 16) | (green << 8) | red

/** Blends a colour over another one. */
function blend([red, green, blue, alpha]: Rgba, under: number): number {
  const [share, rest] = [alpha / 255, ((under >>> 24) / 255) * (1 - alpha / 255)]
  const all = share + rest
  const mix = (over: number, below: number) => Math.round((over * share + below * rest) / all)
  return toSample([
    mix(red, under & 255),
    mix(green, (under >>> 8) & 255),
    mix(blue, (under >>> 16) & 255),
    Math.round(255 * all),
  ])
}

/** Creates a ramp with a single shade. */
export const createFlat = (colour: Rgba): Ramp => createRamp(colour, 1, 1)

/** Returns the brightness of a surface, from 0 to 1, by its normal in the view. Both of its sides are lit. */
export function shadeOf(right: number, down: number, towards: number): number {
  const length = Math.sqrt(right * right + down * down + towards * towards)
  if (!(length > 0)) return 0.5
  const lit = (LIGHT.right * right + LIGHT.down * down + LIGHT.towards * towards) / length
  return 0.2 + 0.8 * Math.max(0, towards < 0 ? -lit : lit)
}

/** The direction that light comes from, of length 1: above, a little left of the viewer. */
const LIGHT = { right: -0.38, down: -0.74, towards: 0.555 }

/** Creates a raster of this size in pixels. */
export function createRaster(widthInPixels: number, heightInPixels: number): Raster {
  const [width, height] = [SAMPLES * widthInPixels, SAMPLES * heightInPixels]
  const samples = new Int32Array(width * height)
  const depths = new Float32Array(width * height).fill(Number.NEGATIVE_INFINITY)
  const before = BEFORE * width

  /** Whether the pattern covers a sample for something with this alpha, from 0 to 255. */
  const covers = (at: number, alpha: number): boolean =>
    alpha * 16 > 255 * PATTERN[((Math.floor(at / width) & 3) << 2) | ((at % width) & 3)]!

  function put(at: number, depth: number, sample: number): void {
    const alpha = sample >>> 24
    if (depth < depths[at]! || (alpha < 255 && !covers(at, alpha))) return
    depths[at] = depth
    samples[at] = sample | OPAQUE
  }

  // The functions that follow run for every triangle and every sample: without arrays, they take a third of the time.

  /** Fills a triangle, given by its corners with their depths and shades. */
  function fillTriangle(
    ax: number,
    ay: number,
    az: number,
    sa: number,
    bx: number,
    by: number,
    bz: number,
    sb: number,
    cx: number,
    cy: number,
    cz: number,
    sc: number,
    ramp: Ramp,
  ): void {
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if (area === 0) return
    const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5))
    const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5))
    // The changes of depth and shade per sample to the right and down.
    const depthRight = ((bz - az) * (cy - ay) - (cz - az) * (by - ay)) / area
    const depthDown = ((cz - az) * (bx - ax) - (bz - az) * (cx - ax)) / area
    const shadeRight = ((sb - sa) * (cy - ay) - (sc - sa) * (by - ay)) / area
    const shadeDown = ((sc - sa) * (bx - ax) - (sb - sa) * (cx - ax)) / area
    const isOpaque = ramp[0]! >>> 24 === 255
    const alpha = ramp[0]! >>> 24
    for (let y = top; y <= bottom; y++) {
      const middle = y + 0.5
      // The row is filled between the points where it meets the sides of the triangle.
      let left = width
      let right = 0
      if (ay > middle !== by > middle) {
        const x = ax + ((middle - ay) * (bx - ax)) / (by - ay)
        left = Math.min(left, x)
        right = Math.max(right, x)
      }
      if (by > middle !== cy > middle) {
        const x = bx + ((middle - by) * (cx - bx)) / (cy - by)
        left = Math.min(left, x)
        right = Math.max(right, x)
      }
      if (cy > middle !== ay > middle) {
        const x = cx + ((middle - cy) * (ax - cx)) / (ay - cy)
        left = Math.min(left, x)
        right = Math.max(right, x)
      }
      const first = Math.max(0, Math.ceil(left - 0.5))
      const end = Math.min(width, Math.ceil(right - 0.5))
      const dx = first + 0.5 - ax
      let depth = az + dx * depthRight + (middle - ay) * depthDown
      let shade = sa + dx * shadeRight + (middle - ay) * shadeDown
      for (let at = y * width + first; at < y * width + end; at++) {
        if (depth >= depths[at]! && (isOpaque || covers(at, alpha))) {
          depths[at] = depth
          samples[at] = ramp[Math.max(0, Math.min(SHADES - 1, (SHADES * shade) | 0))]! | OPAQUE
        }
        depth += depthRight
        shade += shadeRight
      }
    }
  }

  /** Draws a piece of a line, in steps of one sample, each as wide as the line is thick. */
  function drawPiece(spots: Spots, from: number, thickness: number, sample: number): void {
    const [ax, ay, az] = [spots[from]!, spots[from + 1]!, spots[from + 2]!]
    const [dx, dy, dz] = [spots[from + 3]! - ax, spots[from + 4]! - ay, spots[from + 5]! - az]
    const isFlat = Math.abs(dx) >= Math.abs(dy)
    const long = Math.abs(isFlat ? dx : dy)
    const steps = Math.ceil(long)
    const across = steps === 0 ? thickness : (thickness * Math.sqrt(dx * dx + dy * dy)) / long
    const [stepAlong, stepAcross] = isFlat ? [1, width] : [width, 1]
    const [longest, widest] = isFlat ? [width, height] : [height, width]
    for (let step = 0; step <= steps; step++) {
      const share = steps === 0 ? 0 : step / steps
      const along = Math.floor(isFlat ? ax + share * dx : ay + share * dy)
      if (along < 0 || along >= longest) continue
      const middle = isFlat ? ay + share * dy : ax + share * dx
      const depth = az + share * dz + before
      const end = Math.min(widest, Math.round(middle + across / 2))
      for (let side = Math.max(0, Math.round(middle - across / 2)); side < end; side++)
        put(along * stepAlong + side * stepAcross, depth, sample)
    }
  }

  return {
    width,
    height,

    fillFaces({ spots, triangles, shades }, ramp) {
      for (let i = 0; i + 2 < triangles.length; i += 3) {
        const a = triangles[i]!
        const b = triangles[i + 1]!
        const c = triangles[i + 2]!
        const ax = spots[3 * a]!
        const ay = spots[3 * a + 1]!
        const az = spots[3 * a + 2]!
        const bx = spots[3 * b]!
        const by = spots[3 * b + 1]!
        const bz = spots[3 * b + 2]!
        const cx = spots[3 * c]!
        const cy = spots[3 * c + 1]!
        const cz = spots[3 * c + 2]!
        if (shades) {
          fillTriangle(ax, ay, az, shades[a]!, bx, by, bz, shades[b]!, cx, cy, cz, shades[c]!, ramp)
          continue
        }
        const shade = shadeOf(
          (by - ay) * (cz - az) - (bz - az) * (cy - ay),
          (bz - az) * (cx - ax) - (bx - ax) * (cz - az),
          (bx - ax) * (cy - ay) - (by - ay) * (cx - ax),
        )
        fillTriangle(ax, ay, az, shade, bx, by, bz, shade, cx, cy, cz, shade, ramp)
      }
    },

    drawLine(spots, thickness, ramp) {
      const sample = ramp.at(-1)!
      for (let from = 0; from + 5 < spots.length; from += 3) drawPiece(spots, from, thickness, sample)
    },

    drawDisc(x, y, depth, radius, ramp) {
      const sample = ramp.at(-1)!
      const end = Math.min(height - 1, Math.floor(y + radius))
      for (let row = Math.max(0, Math.ceil(y - radius)); row <= end; row++) {
        const half = Math.sqrt(radius * radius - (row - y) ** 2)
        const last = Math.min(width - 1, Math.floor(x + half))
        for (let column = Math.max(0, Math.ceil(x - half)); column <= last; column++)
          put(row * width + column, depth + before, sample)
      }
    },

    fillRectangle(left, top, right, bottom, colour) {
      const [first, last] = [Math.max(0, Math.round(left)), Math.min(width, Math.round(right))]
      const sample = colour[3] === 255 ? toSample(colour) : undefined
      for (let y = Math.max(0, Math.round(top)); y < Math.min(height, Math.round(bottom)); y++) {
        for (let at = y * width + first; at < y * width + last; at++) {
          samples[at] = sample ?? blend(colour, samples[at]!)
          depths[at] = 0
        }
      }
    },

    resolve() {
      const pixels = new Uint8Array(4 * widthInPixels * heightInPixels)
      let to = 0
      for (let y = 0; y < height; y += SAMPLES) {
        for (let x = 0; x < width; x += SAMPLES) {
          const at = y * width + x
          const a = samples[at]!
          const b = samples[at + 1]!
          const c = samples[at + width]!
          const d = samples[at + width + 1]!
          if (a === b && a === c && a === d) {
            pixels[to] = a & 255
            pixels[to + 1] = (a >> 8) & 255
            pixels[to + 2] = (a >> 16) & 255
            pixels[to + 3] = a >>> 24
          } else {
            const weight = (a >>> 24) + (b >>> 24) + (c >>> 24) + (d >>> 24)
            for (let channel = 0; channel < 3; channel++) {
              const sum =
                (a >>> 24) * ((a >> (8 * channel)) & 255) +
                (b >>> 24) * ((b >> (8 * channel)) & 255) +
                (c >>> 24) * ((c >> (8 * channel)) & 255) +
                (d >>> 24) * ((d >> (8 * channel)) & 255)
              pixels[to + channel] = sum / weight
            }
            pixels[to + 3] = weight / (SAMPLES * SAMPLES)
          }
          to += 4
        }
      }
      return pixels
    },
  }
}
