// Encodes pictures of pages as PNG with a palette of 256 colors: half the size of the PNG of a browser.
import { crc32, deflateSync } from 'node:zlib'

/**
 * @param page a Playwright page: its browser decodes the PNG
 * @param png the PNG to encode again
 */
export async function toPalettePng(page, png) {
  const { width, height, pixels } = await decode(page, png)
  const palette = selectPalette(pixels, 256)
  const indexes = new Map(palette.map((color, index) => [color, index]))
  const indexOf = (color) => {
    if (!indexes.has(color)) indexes.set(color, nearest(color, palette))
    return indexes.get(color)
  }
  // Each row begins with its filter: 0 is none.
  const rows = Buffer.alloc(height * (width + 1))
  for (const [at, color] of pixels.entries()) {
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = indexOf(color)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(toChannels))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** @returns the colors of all pixels, as 0xrrggbb */
async function decode(page, png) {
  const { width, height, base64 } = await page.evaluate(async (source) => {
    const blob = await (await fetch(`data:image/png;base64,${source}`)).blob()
    const { width, height } = await createImageBitmap(blob)
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context.drawImage(await createImageBitmap(blob), 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    let binary = ''
    for (const byte of data) binary += String.fromCharCode(byte)
    return { width, height, base64: btoa(binary) }
  }, png.toString('base64'))
  const bytes = Buffer.from(base64, 'base64')
  const pixels = Array.from({ length: width * height }, (_, at) => bytes.readUIntBE(at * 4, 3))
  return { width, height, pixels }
}

/** Selects the most frequent colors, which fill areas, then colors that differ from them, such as those of text. */
function selectPalette(pixels, count) {
  const frequencies = new Map()
  for (const color of pixels) frequencies.set(color, (frequencies.get(color) ?? 0) + 1)
  const colors = [...frequencies].sort(([a, few], [b, many]) => many - few || a - b)
  const palette = []
  for (const [color] of colors) {
    if (palette.length === count) break
    const isArea = palette.length < count / 4
    if (isArea || palette.every((other) => distance(color, other) > 12)) palette.push(color)
  }
  return palette
}

function nearest(color, palette) {
  const distances = palette.map((other) => distance(color, other))
  return distances.indexOf(Math.min(...distances))
}

function distance(color, other) {
  const [a, b] = [toChannels(color), toChannels(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

function toChannels(color) {
  return [color >> 16, (color >> 8) & 255, color & 255]
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
