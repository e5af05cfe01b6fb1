/** The first bytes of a PNG file, with its size in pixels, and as many bytes after them. */
export function buildPicture({ width = 24, height = 24, length = 60 } = {}): Uint8Array {
  const picture = Buffer.alloc(length)
  picture.write('89504e470d0a1a0a0000000d49484452', 'hex')
  picture.writeUInt32BE(width, 16)
  picture.writeUInt32BE(height, 20)
  return new Uint8Array(picture)
}
