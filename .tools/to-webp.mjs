/**
 * Encodes a picture of a page as WebP with 256 colors: a third of the size of the PNG of a browser.
 *
 * @param page a Playwright page: its browser decodes and encodes
 * @param png the picture
 */
export async function toWebp(page, png) {
  const base64 = await page.evaluate(encode, png.toString('base64'))
  return Buffer.from(base64, 'base64')
}

/** Runs in the page. */
async function encode(png) {
  const response = await fetch(`data:image/png;base64,${png}`)
  const bitmap = await createImageBitmap(await response.blob())
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d')
  context.drawImage(bitmap, 0, 0)
  const image = context.getImageData(0, 0, bitmap.width, bitmap.height)
  // As 0xaabbggrr.
  const pixels = new Uint32Array(image.data.buffer)
  const palette = selectPalette(256)
  const nearest = new Map(palette.map((color) => [color, color]))
  for (const [at, color] of pixels.entries()) {
    if (!nearest.has(color)) nearest.set(color, nearestTo(color))
    pixels[at] = nearest.get(color)
  }
  context.putImageData(image, 0, 0)
  // Chromium loses nothing at this quality.
  const webp = await canvas.convertToBlob({ type: 'image/webp', quality: 1 })
  return new Uint8Array(await webp.arrayBuffer()).toBase64()

  /** The most frequent colors, which fill areas, then colors that differ from them, such as those of text. */
  function selectPalette(count) {
    const frequencies = new Map()
    for (const color of pixels) frequencies.set(color, (frequencies.get(color) ?? 0) + 1)
    const colors = [...frequencies].sort(([a, few], [b, many]) => many - few || a - b)
    const selected = []
    for (const [color] of colors) {
      if (selected.length === count) break
      const isArea = selected.length < count / 4
      if (isArea || selected.every((other) => distance(color, other) > 12)) selected.push(color)
    }
    return selected
  }

  function nearestTo(color) {
    const distances = palette.map((other) => distance(color, other))
    return palette[distances.indexOf(Math.min(...distances))]
  }

  function distance(color, other) {
    const [a, b] = [toChannels(color), toChannels(other)]
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
  }

  function toChannels(color) {
    return [color & 255, (color >> 8) & 255, (color >> 16) & 255]
  }
}
