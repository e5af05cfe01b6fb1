/** Numbers that counts and lengths break on. */
const WORST = [0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]

/** A copy with one to eight changes that `numbers` choose: a byte, four bytes, a cut, a repeated part. */
export function mutate(bytes: Buffer, numbers: Iterator<number>): Buffer {
  const next = (below: number) => Number(numbers.next().value) % below
  let changed: Buffer = Buffer.from(bytes)
  for (let left = 1 + next(8); left > 0 && changed.length > 8; left--) {
    const at = next(changed.length - 4)
    const kind = next(5)
    if (kind === 0) changed[at] = next(256)
    else if (kind === 1) changed[at] = changed[at]! ^ (1 << next(8))
    else if (kind === 2) changed.writeUInt32LE(WORST[next(WORST.length)]!, at)
    else if (kind === 3)
      changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + 1 + next(16))])
    else changed = Buffer.concat([changed.subarray(0, at), changed.subarray(Math.max(0, at - next(64)))])
  }
  return changed
}
